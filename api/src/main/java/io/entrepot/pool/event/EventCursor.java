package io.entrepot.pool.event;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far somebody has come with the events: the number of the last one, for each store. As text it can be kept, and gone on
 * from after a restart.
 */
public record EventCursor(SortedMap<String, Long> positions) {
    /** Before everything that is still kept. */
    public static final EventCursor BEGINNING = new EventCursor(new TreeMap<>());

    public EventCursor {
        positions = Collections.unmodifiableSortedMap(new TreeMap<>(positions));
        positions.forEach((store, number) -> {
            if (store.isEmpty() || number < 0) {
                throw new IllegalArgumentException(
                        "a cursor has a store and no negative number: " + store + ":" + number);
            }
        });
    }

    public static EventCursor of(Map<String, Long> positions) {
        return new EventCursor(new TreeMap<>(positions));
    }

    /** The inverse of {@link #toString}. */
    public static EventCursor parse(String text) {
        SortedMap<String, Long> positions = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int colon = part.indexOf(':');
            try {
                positions.put(part.substring(0, colon), Long.parseLong(part.substring(colon + 1)));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not a cursor: write it as main:17,tenant:4", e);
            }
        }
        return new EventCursor(positions);
    }

    @Override
    public String toString() {
        return positions.entrySet().stream().map(one -> one.getKey() + ":" + one.getValue()).collect(joining(","));
    }
}
