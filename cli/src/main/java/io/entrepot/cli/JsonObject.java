package io.entrepot.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A JSON object on one line, field by field. A field with nothing to say is left out. */
final class JsonObject {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    JsonObject with(String name, Object value) {
        fields.put(name, value instanceof Enum<?> constant ? Words.of(constant) : value);
        return this;
    }

    JsonObject with(String name, Optional<?> value) {
        value.ifPresent(there -> with(name, there));
        return this;
    }

    JsonObject with(String name, OptionalLong value) {
        value.ifPresent(there -> with(name, (Object) there));
        return this;
    }

    Map<String, Object> fields() {
        return fields;
    }

    @Override
    public String toString() {
        return JsonText.of(fields);
    }
}
