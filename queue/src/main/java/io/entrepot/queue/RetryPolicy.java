package io.entrepot.queue;

import java.time.Duration;

/**
 * When and how often a failed item is tried again: after {@code min(initial · 2^(n-1), max)} for the n-th failure, or
 * always after {@code initial}.
 *
 * @param attempts failures after which the item is dead; 1 means never again
 */
public record RetryPolicy(Duration initial, Duration max, int attempts, boolean exponential) {
    private static final Duration LONGEST = Duration.ofDays(3650);
    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofSeconds(5), Duration.ofMinutes(5), 3, true);

    public RetryPolicy {
        if (initial.isNegative() || max.compareTo(initial) < 0 || max.compareTo(LONGEST) > 0 || attempts < 1) {
            throw new IllegalArgumentException("a retry policy has at least one attempt and 0 ≤ initial ≤ max ≤ "
                    + LONGEST.toDays() + " days: " + initial + ", " + max + ", " + attempts);
        }
    }

    public static RetryPolicy fixed(Duration delay, int attempts) {
        return new RetryPolicy(delay, delay, attempts, false);
    }

    /** How long to wait after the n-th failure, n from 1. Does not overflow, whatever n is. */
    public Duration delay(int failures) {
        if (!exponential || initial.isZero()) {
            return initial;
        }
        int doublings = Math.max(0, failures - 1);
        // initial · 2^d exceeds max exactly if initial exceeds max / 2^d; the shift cannot overflow, the product could.
        // Nanoseconds, so that an initial delay of less than a millisecond grows too; ten years of them fit.
        if (doublings >= Long.SIZE - 1 || initial.toNanos() > max.toNanos() >> doublings) {
            return max;
        }
        return Duration.ofNanos(initial.toNanos() << doublings);
    }
}
