/**
 * The few system calls that Java lacks: directories read and looked at without garbage, names as bytes, notification,
 * a clock that does not stop in suspend. With a plain {@code java.nio} form for other systems.
 */
@NullMarked
package io.entrepot.posix;

import org.jspecify.annotations.NullMarked;
