package io.entrepot.queue;

/** The idempotency key was used before, for something else. */
public final class IdempotencyConflictException extends QueueException {
    private static final String CODE = "queue.key-conflict";

    public IdempotencyConflictException(QueueName queue, String key, ItemId item) {
        super(CODE, "the key \"" + key + "\" of queue " + queue + " names item " + item
                + ", which has another payload; use a new key for new content");
    }

    private IdempotencyConflictException(String message) {
        super(CODE, message);
    }

    /** Of a claim, where only patience may differ. */
    public static IdempotencyConflictException otherClaim(String key) {
        return new IdempotencyConflictException("the key \"" + key + "\" was used for another claim: with other queues,"
                + " another holder, another maximum or another term; use a new key for each claim");
    }

    /** All leases that a claim got have ended, some by their holder. He had them, so there are none instead. */
    public static IdempotencyConflictException spentClaim(String key) {
        return new IdempotencyConflictException("the claim with the key \"" + key
                + "\" is over: the leases it got have ended; use a new key for each claim");
    }
}
