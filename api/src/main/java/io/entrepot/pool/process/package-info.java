/** Processing files in this process: claims, renews, completes, fails and stops cleanly. */
@NullMarked
package io.entrepot.pool.process;

import org.jspecify.annotations.NullMarked;
