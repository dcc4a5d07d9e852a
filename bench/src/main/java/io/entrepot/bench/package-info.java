/** Measurements against peers and limits, on one machine, in one run. */
@NullMarked
package io.entrepot.bench;

import org.jspecify.annotations.NullMarked;
