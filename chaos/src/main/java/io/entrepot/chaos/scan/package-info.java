/** What eyes must survive. */
@NullMarked
package io.entrepot.chaos.scan;

import org.jspecify.annotations.NullMarked;
