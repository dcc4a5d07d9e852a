package io.entrepot.client;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, as the server gives and takes them: to be asked for what is in it. What is not there is a value too, which
 * {@link #isMissing}. Immutable.
 */
public final class Json {
    private static final Json MISSING = new Json(null);

    /** A map, list, text, whole number, fraction or truth value; null if there is nothing. */
    private final @Nullable Object value;

    private Json(@Nullable Object value) {
        this.value = value;
    }

    static Json of(@Nullable Object value) {
        return value == null ? MISSING : new Json(value);
    }

    /** @throws IllegalArgumentException if it is not JSON */
    public static Json parse(String text) {
        return of(new JsonReader(text).read());
    }

    /** An object with nothing in it, to be {@linkplain #with added to}. */
    public static Json object() {
        return new Json(Map.of());
    }

    /** This object with one more; texts, numbers, truth values, lists, maps, other JSON. Others are written as text. */
    public Json with(String name, Object added) {
        Map<String, Object> more = new LinkedHashMap<>(fields());
        more.put(name, plain(added));
        return new Json(more);
    }

    /** The same if there is something to add. */
    public Json with(String name, Optional<?> added) {
        return added.isPresent() ? with(name, (Object) added.get()) : this;
    }

    /** This object with a null: for what is to be taken away, where leaving it out would leave it as it is. */
    public Json withNull(String name) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(fields());
        more.put(name, null);
        return new Json(more);
    }

    private static Object plain(Object given) {
        if (given instanceof Json json) {
            return json.value == null ? Map.of() : json.value;
        }
        if (given instanceof Integer || given instanceof Short) {
            return ((Number) given).longValue();
        }
        if (given instanceof List<?> list) {
            return list.stream().map(one -> plain((Object) one)).toList();
        }
        if (given instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((name, one) -> copy.put(String.valueOf(name), plain((Object) one)));
            return copy;
        }
        return given instanceof Number || given instanceof Boolean ? given : given.toString();
    }

    /** Not there, or null. */
    public boolean isMissing() {
        return value == null;
    }

    /** What an object has under a name. */
    public Json get(String name) {
        return value instanceof Map<?, ?> map ? of(map.get(name)) : MISSING;
    }

    /** The elements of a list; none if it is no list. */
    public List<Json> list() {
        return value instanceof List<?> list ? list.stream().map(one -> of((Object) one)).toList() : List.of();
    }

    /** @throws IllegalArgumentException if there is none: the server is not one that this client understands */
    public String text() {
        return find().orElseThrow(() -> new IllegalArgumentException("a text is missing in the server's answer"));
    }

    /** The text, or what else it is as text; empty if it is missing. */
    public Optional<String> find() {
        return value == null ? Optional.empty() : Optional.of(value instanceof String text ? text : toString());
    }

    public Optional<Instant> time() {
        return find().map(Instant::parse);
    }

    /** 0 if it is missing or no number. */
    public long whole() {
        return number().orElse(0);
    }

    public OptionalLong number() {
        return value instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    /** False if it is missing. */
    public boolean truth() {
        return Boolean.TRUE.equals(value);
    }

    /** An object's values by name: texts, whole numbers, fractions, truth values, lists, maps. */
    @SuppressWarnings("unchecked") // the reader and with() make no other maps
    public Map<String, Object> fields() {
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : Map.of();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json that && (value == null ? that.value == null : value.equals(that.value));
    }

    @Override
    public int hashCode() {
        return value == null ? 0 : value.hashCode();
    }

    /** As JSON is written. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        JsonReader.write(value, text);
        return text.toString();
    }
}
