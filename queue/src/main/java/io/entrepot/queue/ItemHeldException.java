package io.entrepot.queue;

import java.time.Instant;

/** Somebody else has the item. Try again when the lease has ended, or reset the item. */
public final class ItemHeldException extends QueueException {

    public ItemHeldException(ItemId item, String holder, Instant since) {
        super("queue.item-held", "item " + item + " is held by " + holder + " since " + since);
    }
}
