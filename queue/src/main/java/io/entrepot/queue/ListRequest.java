package io.entrepot.queue;

import java.util.Optional;

/**
 * Which items to list: of one queue, all or those in one state, page by page.
 *
 * @param cursor where the last page ended; empty for the first
 */
public record ListRequest(QueueName queue, Optional<ItemState> state, Optional<String> holder, String cursor,
        int limit) {
    public static final int MOST = 1000;

    public ListRequest {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("a page has 1 to " + MOST + " items: " + limit);
        }
    }

    public static ListRequest of(QueueName queue) {
        return new ListRequest(queue, Optional.empty(), Optional.empty(), "", 100);
    }

    public ListRequest in(ItemState value) {
        return new ListRequest(queue, Optional.of(value), holder, cursor, limit);
    }

    public ListRequest heldBy(String value) {
        return new ListRequest(queue, state, Optional.of(value), cursor, limit);
    }

    public ListRequest after(String value) {
        return new ListRequest(queue, state, holder, value, limit);
    }

    public ListRequest withLimit(int value) {
        return new ListRequest(queue, state, holder, cursor, value);
    }
}
