package io.entrepot.queue;

/** There is an item of that number, or there was one that is still remembered. */
public final class NumberTakenException extends QueueException {

    public NumberTakenException(long number) {
        super("queue.number-taken", "number " + number + " is that of another item, or of one that is gone; reserve a"
                + " new one");
    }
}
