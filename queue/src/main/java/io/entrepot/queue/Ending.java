package io.entrepot.queue;

/** How a holder ends its lease. */
public sealed interface Ending {

    /** Done. The item goes, or stays as kept. */
    record Finish(boolean keep) implements Ending {}

    /** Not done. Tried again by the policy, unless it is of no use. */
    record Fail(String error, boolean retryable, RetryPolicy policy) implements Ending {}

    /** Given back, to be handed out again from its old place in the order. */
    record Release() implements Ending {}
}
