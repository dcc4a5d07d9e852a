/** How fast the queue is, and how fast a durable queue can be at all. */
@NullMarked
package io.entrepot.bench.queue;

import org.jspecify.annotations.NullMarked;
