package io.entrepot.queue;

/** An item was to be put under a number that nobody has reserved, and that another item may get some day. */
public final class NumberNotReservedException extends QueueException {

    public NumberNotReservedException(long number) {
        super("queue.number-not-reserved", "number " + number + " was not handed out yet; reserve numbers before they"
                + " are used");
    }
}
