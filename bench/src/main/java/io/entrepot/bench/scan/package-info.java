/** How fast trees of files are gone through. */
@NullMarked
package io.entrepot.bench.scan;

import org.jspecify.annotations.NullMarked;
