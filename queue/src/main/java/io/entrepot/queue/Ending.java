package io.entrepot.queue;

import java.time.Duration;

/** How a holder ends its lease. */
public sealed interface Ending {

    /** Done. The item goes, or stays as kept. */
    record Finish(boolean keep) implements Ending {}

    /** Not done. Tried again by the policy, unless it is of no use. */
    record Fail(String error, boolean retryable, RetryPolicy policy) implements Ending {}

    /** Given back, to be handed out again from its old place in the order. */
    record Release() implements Ending {}

    /**
     * Not now, through no fault of the item's: what else is needed is not there. It waits so long, and neither an attempt nor a
     * delivery is counted, so it may be put off however often.
     */
    record PutOff(String why, Duration delay) implements Ending {
        public PutOff {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("an item cannot be put off into the past: " + delay);
            }
        }
    }
}
