/** How the queue does it: one class per decision. */
@NullMarked
package io.entrepot.queue.internal;

import org.jspecify.annotations.NullMarked;
