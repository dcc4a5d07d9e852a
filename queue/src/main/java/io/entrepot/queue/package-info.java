/** The one queue engine: items are put, handed to exactly one worker at a time, and finished once. */
@NullMarked
package io.entrepot.queue;

import org.jspecify.annotations.NullMarked;
