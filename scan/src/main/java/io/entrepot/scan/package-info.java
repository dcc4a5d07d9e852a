/** Looks at directories. */
@NullMarked
package io.entrepot.scan;

import org.jspecify.annotations.NullMarked;
