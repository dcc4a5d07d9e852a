package io.entrepot.queue;

import io.entrepot.lease.Fence;

/** The right to work on an item. Every later step carries it, and is refused if it is no longer the current one. */
public record ItemLease(ItemId item, Fence fence) {

    /** The inverse of {@link #toString}. */
    public static ItemLease parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not a lease: write it as owner/number@epoch-nonce");
        }
        return new ItemLease(ItemId.parse(text.substring(0, at)), Fence.parse(text.substring(at + 1)));
    }

    @Override
    public String toString() {
        return item + "@" + fence;
    }
}
