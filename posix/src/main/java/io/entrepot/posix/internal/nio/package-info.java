/** The same contract on plain {@code java.nio}, for other systems. */
@NullMarked
package io.entrepot.posix.internal.nio;

import org.jspecify.annotations.NullMarked;
