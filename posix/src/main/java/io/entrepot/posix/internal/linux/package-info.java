/** The calls of Linux, by the foreign function interface. */
@NullMarked
package io.entrepot.posix.internal.linux;

import org.jspecify.annotations.NullMarked;
