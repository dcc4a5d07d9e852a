package io.entrepot.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Ever longer pauses between attempts, up to a deadline. Each is by chance between half of its length and all of it, so that many
 * clients of a server that was away do not come back at the same moment. For one thread.
 */
final class Pauses {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final DoubleSupplier chance;
    private Duration left;
    private Duration next = FIRST;

    Pauses(Duration deadline, DoubleSupplier chance) {
        this.left = deadline;
        this.chance = chance;
    }

    /** @return how long to wait; empty if there is no time for another attempt */
    Optional<Duration> next(Optional<Duration> atLeast) {
        long half = next.toNanos() / 2;
        Duration pause = Duration.ofNanos(half + (long) (half * chance.getAsDouble()));
        if (atLeast.isPresent() && atLeast.get().compareTo(pause) > 0) {
            pause = atLeast.get().plus(pause);
        }
        if (pause.compareTo(left) > 0) {
            return Optional.empty();
        }
        Duration twice = next.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return Optional.of(pause);
    }

    /** So much time has gone by, by pausing or by trying. */
    void spent(Duration time) {
        left = left.minus(time);
    }
}
