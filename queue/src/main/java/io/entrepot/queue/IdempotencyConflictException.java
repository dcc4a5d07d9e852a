package io.entrepot.queue;

/** The idempotency key was used before, with another payload. */
public final class IdempotencyConflictException extends QueueException {

    public IdempotencyConflictException(QueueName queue, String key, ItemId item) {
        super("queue.key-conflict", "the key \"" + key + "\" of queue " + queue + " names item " + item
                + ", which has another payload; use a new key for new content");
    }
}
