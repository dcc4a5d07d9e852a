package io.entrepot.queue;

/** There is no such item, or no longer. */
public final class ItemNotFoundException extends QueueException {

    public ItemNotFoundException(ItemId item) {
        super("queue.no-such-item", "there is no item " + item + " (any more)");
    }
}
