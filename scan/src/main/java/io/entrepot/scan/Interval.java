package io.entrepot.scan;

/**
 * Between which moments something was looked at, on a {@link io.entrepot.posix.BootClock}: what was seen was so at some moment
 * in it.
 */
public record Interval(long begin, long end) {

    public Interval {
        if (end - begin < 0) {
            throw new IllegalArgumentException("an interval does not end before it begins");
        }
    }

    /** Whether all of this lies after all of the other. */
    public boolean isAfter(Interval other) {
        return begin - other.end > 0;
    }
}
