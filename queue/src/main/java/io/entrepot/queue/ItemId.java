package io.entrepot.queue;

import io.entrepot.store.Owner;

/** An item: whose it is, and its number, which is never used again. */
public record ItemId(Owner owner, long number) {

    public ItemId {
        if (number < 1) {
            throw new IllegalArgumentException("item numbers start at 1: " + number);
        }
    }

    /** The inverse of {@link #toString}. */
    public static ItemId parse(String text) {
        int slash = text.indexOf('/');
        try {
            return new ItemId(new Owner(text.substring(0, Math.max(0, slash))),
                    Long.parseLong(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not an item: write it as owner/number", e);
        }
    }

    @Override
    public String toString() {
        return owner + "/" + number;
    }
}
