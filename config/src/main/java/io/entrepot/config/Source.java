package io.entrepot.config;

import java.util.Map;

/**
 * Values that go over those of a file.
 *
 * @param by     who says so, for people: {@code --port}
 * @param values see {@link Configuration#of}
 */
public record Source(String by, Map<String, ?> values) {

    public Source {
        values = Map.copyOf(values);
    }
}
