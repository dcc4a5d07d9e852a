package io.entrepot.pool.process;

import java.time.Duration;

/** Ever longer pauses between tries that fail. For one thread. */
final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration next = FIRST;

    Duration next() {
        Duration now = next;
        Duration twice = now.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return now;
    }

    void reset() {
        next = FIRST;
    }
}
