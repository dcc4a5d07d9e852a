package io.entrepot.queue.internal;

import java.time.Duration;

/**
 * The place of an item in its queue, fixed when it becomes available: the time, put forward by its priority. So higher
 * priorities go first, equal ones in order of time, and a low one is overtaken only by what comes within its handicap:
 * it ages without anything being rewritten, and never starves.
 */
final class Rank {

    private Rank() {}

    static long of(long availableSince, int priority, Duration step) {
        return availableSince - priority * step.toMillis();
    }
}
