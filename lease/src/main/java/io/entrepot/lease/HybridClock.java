package io.entrepot.lease;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A hybrid logical clock: stamps that are close to wall time, and that never contradict what was seen before. Each
 * {@link #now} is later than every stamp this clock has given, observed or restamped, even if the wall clock was set back.
 *
 * <p>A clock that takes over whatever it sees can be dragged away: one machine a year ahead, and for a year its writes
 * beat everybody's. So a stamp further ahead of our wall clock than the skew limit is not taken over; the caller restamps
 * it. Too small a limit, and ordinary clocks are restamped for nothing; too large, and a wrong clock wins for that long.
 *
 * <p>Safe for use by many threads: one atomic number.
 */
public final class HybridClock {
    public static final Duration SKEW_LIMIT = Duration.ofSeconds(60);

    public enum Observation {
        /** Our next stamp will be later. */
        TAKEN,
        /** Too far ahead of our wall clock; not taken over. */
        SKEWED
    }

    private final InstantSource wall;
    private final long skewLimit;
    private final AtomicLong last;

    public HybridClock(InstantSource wall) {
        this(wall, SKEW_LIMIT, HybridTime.ZERO);
    }

    /** {@code floor} is the last stamp from before a restart: our own past counts, however far ahead it is. */
    public HybridClock(InstantSource wall, Duration skewLimit, HybridTime floor) {
        if (skewLimit.isNegative()) {
            throw new IllegalArgumentException("The skew limit is not negative: " + skewLimit);
        }
        this.wall = wall;
        this.skewLimit = skewLimit.toMillis();
        this.last = new AtomicLong(floor.packed());
    }

    public HybridTime now() {
        long now = wallTime().packed();
        return HybridTime.unpack(last.updateAndGet(before -> Math.max(now, Math.incrementExact(before))));
    }

    public Observation observe(HybridTime remote) {
        if (remote.millis() - wallTime().millis() > skewLimit) {
            return Observation.SKEWED;
        }
        take(remote);
        return Observation.TAKEN;
    }

    /**
     * Puts a stamp of a wrong clock on our scale. The order of stamps of one clock is kept, except that none comes out later
     * than our wall time: what reaches us was written before now, whatever the offset says. Works for a clock that is behind
     * as well, which {@link #observe} cannot tell from an old stamp.
     *
     * @param measuredOffset how far that clock was measured to be ahead of ours; negative if it is behind
     */
    public HybridTime restamp(HybridTime remote, Duration measuredOffset) {
        HybridTime now = wallTime();
        long millis = remote.millis() - millis(measuredOffset);
        HybridTime stamp = millis < 0
                ? HybridTime.ZERO
                : millis >= now.millis() ? now : new HybridTime(millis, remote.counter());
        take(stamp);
        return stamp;
    }

    private void take(HybridTime seen) {
        last.accumulateAndGet(seen.packed(), Math::max);
    }

    /** No offset is too absurd to come over a wire. */
    private static long millis(Duration offset) {
        long seconds = HybridTime.LAST_MILLIS / 1000;
        return Math.clamp(offset.toSeconds(), -seconds, seconds) * 1000 + offset.toMillisPart();
    }

    private HybridTime wallTime() {
        return new HybridTime(Math.clamp(wall.millis(), 0, HybridTime.LAST_MILLIS), 0);
    }
}
