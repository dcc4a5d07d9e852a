package io.entrepot.queue;

import java.util.Locale;

/** The item is kept or dead: nobody is to work on it, unless it is reset. */
public final class ItemNotClaimableException extends QueueException {

    public ItemNotClaimableException(ItemId item, ItemState state) {
        super("queue.not-claimable", "item " + item + " is " + state.name().toLowerCase(Locale.ROOT)
                + " and cannot be claimed; reset it first");
    }
}
