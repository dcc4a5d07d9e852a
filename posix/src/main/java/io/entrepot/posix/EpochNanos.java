package io.entrepot.posix;

import java.time.Instant;

/**
 * Times of files are nanoseconds since 1970 in one long. Times that do not fit, before 1677-09-21 or after 2262-04-11, become
 * the nearest that does: users set such times, and nothing may fail over it. So between two of them no difference is seen;
 * the change time, which the kernel sets and users cannot, shows that something happened.
 */
public final class EpochNanos {
    private static final long SECOND = 1_000_000_000L;

    private EpochNanos() {}

    /** @param nanos 0 to 999,999,999, counted forward also before 1970 */
    public static long of(long seconds, int nanos) {
        if (seconds > Long.MAX_VALUE / SECOND - 1) {
            return beyond(seconds, nanos, Long.MAX_VALUE);
        }
        if (seconds < Long.MIN_VALUE / SECOND + 1) {
            return beyond(seconds, nanos, Long.MIN_VALUE);
        }
        return seconds * SECOND + nanos;
    }

    public static long of(Instant instant) {
        return of(instant.getEpochSecond(), instant.getNano());
    }

    public static Instant toInstant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
    }

    /** The last seconds before the edges, some of whose nanoseconds fit. */
    private static long beyond(long seconds, int nanos, long edge) {
        try {
            // Below zero the whole second alone may not fit although the time does.
            return seconds < 0
                    ? Math.addExact(Math.multiplyExact(Math.addExact(seconds, 1), SECOND), nanos - SECOND)
                    : Math.addExact(Math.multiplyExact(seconds, SECOND), nanos);
        } catch (ArithmeticException e) {
            return edge;
        }
    }
}
