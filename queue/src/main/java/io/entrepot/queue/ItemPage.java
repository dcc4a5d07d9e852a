package io.entrepot.queue;

import java.util.List;

/** A page of items; the next one comes after {@code cursor}, unless that is empty. */
public record ItemPage(List<ItemView> items, String cursor) {

    public ItemPage {
        items = List.copyOf(items);
    }
}
