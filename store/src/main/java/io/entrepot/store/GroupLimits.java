package io.entrepot.store;

import java.time.Duration;

/**
 * How large a group commit may become.
 *
 * @param operations larger: fewer syncs for the same work, but everybody in the group waits for all of it
 * @param bytes the same for the data written; a group always takes at least one request, however large
 * @param time no further unit is started after this long; too small wastes syncs, too large shows as latency
 * @param company how long the writer waits for as many callers as it had last time. Too small: groups of few and a sync
 * for each; too large: a lone caller waits for company that does not come. Zero never waits.
 */
public record GroupLimits(int operations, long bytes, Duration time, Duration company) {
    public static final GroupLimits DEFAULT = new GroupLimits(1024, 8L << 20, Duration.ofMillis(20),
            Duration.ofNanos(150_000));

    public GroupLimits {
        if (operations < 1 || bytes < 1 || time.isNegative() || time.isZero() || company.isNegative()) {
            throw new IllegalArgumentException("group limits must be positive: " + operations + " operations, " + bytes
                    + " bytes, " + time + ", company " + company);
        }
    }
}
