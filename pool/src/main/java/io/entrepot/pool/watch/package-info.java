/** Directories whose files are imported by themselves. */
@NullMarked
package io.entrepot.pool.watch;

import org.jspecify.annotations.NullMarked;
