package io.entrepot.lease;

import java.time.Duration;

/**
 * The right to do a thing that only one party may do at a time. It has no end in it: the grantor and the holder each
 * count the term on their own {@link Ticker} ({@link Grant}, {@link Tenure}), and those readings mean nothing elsewhere.
 *
 * <p>Terms are whole milliseconds, so that a lease comes back from a durable store as it went in. Immutable.
 */
public record Lease(String name, String holder, Fence fence, Duration term, Protection protection) {
    private static final Duration LONGEST = Duration.ofDays(366);

    public Lease {
        if (name.isBlank() || holder.isBlank()) {
            throw new IllegalArgumentException("A lease has a name and a holder: '" + name + "', '" + holder + "'");
        }
        if (term.isNegative() || term.isZero() || term.compareTo(LONGEST) > 0 || term.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    "The term of " + name + " is whole milliseconds, from 1 ms to 366 days: " + term);
        }
    }
}
