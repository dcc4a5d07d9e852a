/** Other people's queues, measured beside ours: started, filled, and driven by the same workers. */
@NullMarked
package io.entrepot.bench.queue.peers;

import org.jspecify.annotations.NullMarked;
