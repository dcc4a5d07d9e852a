package io.entrepot.lease;

import java.time.Duration;

/** The answer to a request for a lease. Immutable. */
public sealed interface Verdict {

    record Granted(Lease lease) implements Verdict {}

    /**
     * Somebody has it. {@code retryAfter} is when the term ends if nothing happens before: the holder will usually have
     * renewed by then, so it is a time to ask again, not a promise. The fence in {@code current} is the holder's own: show
     * the holder's name to whoever was refused, not the fence.
     */
    record Refused(Lease current, Duration retryAfter) implements Verdict {
        public Refused {
            if (!retryAfter.isPositive()) {
                throw new IllegalArgumentException("A lease that is over is not a reason to refuse: " + retryAfter);
            }
        }
    }
}
