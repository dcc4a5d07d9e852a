package io.entrepot.server.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a request has in its JSON object. Immutable. */
public final class Given {
    public static final Given NOTHING = new Given(Map.of());

    private final Map<String, Optional<Object>> values;

    Given(Map<String, Optional<Object>> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Whether it was said at all, if only that it is null. */
    public boolean has(Input<?> input) {
        return values.containsKey(input.name());
    }

    /** Empty if it was left out, or is null. */
    @SuppressWarnings("unchecked") // Ask puts in what the input reads
    public <T> Optional<T> find(Input<T> input) {
        return (Optional<T>) values.getOrDefault(input.name(), Optional.empty());
    }

    /** Of a required one. */
    public <T> T get(Input<T> input) {
        return find(input).orElseThrow(() -> new IllegalStateException(input.name() + " is not required"));
    }

    public <T> T get(Input<T> input, T otherwise) {
        return find(input).orElse(otherwise);
    }
}
