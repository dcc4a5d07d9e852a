package io.entrepot.config;

import java.util.Map;

/** What was read for the parts of one section. Immutable. */
public final class Values {
    private final Map<Part<?>, Object> values;

    Values(Map<Part<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** @throws IllegalStateException if it is not a part of the section */
    @SuppressWarnings("unchecked") // Reading puts in what a part is read into.
    public <T> T get(Part<T> part) {
        Object value = values.get(part);
        if (value == null) {
            throw new IllegalStateException("\"" + part.name() + "\" is not listed among the parts of its section");
        }
        return (T) value;
    }
}
