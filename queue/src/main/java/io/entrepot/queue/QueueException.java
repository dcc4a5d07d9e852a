package io.entrepot.queue;

/** A request that the queue refuses. Nothing has changed. The code is stable. */
public abstract sealed class QueueException extends RuntimeException
        permits IdempotencyConflictException, ItemHeldException, ItemNotClaimableException, ItemNotFoundException,
        NumberNotReservedException, NumberTakenException, QueuePausedException {
    private final String code;

    QueueException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
