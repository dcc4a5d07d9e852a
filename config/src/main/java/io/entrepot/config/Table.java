package io.entrepot.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as it was written, before anybody knows what it means: each value is a text, a long, a double, a boolean, a
 * time, a table or a list of such. In the order of the source. Sources are laid over each other.
 */
record Table(Map<String, Node> nodes, Origin origin) {

    record Node(Object value, Origin origin) {}

    Table {
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
    }

    static Table empty(Origin origin) {
        return new Table(Map.of(), origin);
    }

    @Nullable
    Node get(String name) {
        return nodes.get(name);
    }

    /** What the upper one says goes, key by key. */
    Table under(Table upper) {
        Map<String, Node> both = new LinkedHashMap<>(nodes);
        upper.nodes.forEach((name, node) -> both.merge(name, node,
                (mine, over) -> mine.value() instanceof Table below && over.value() instanceof Table above
                        ? new Node(below.under(above), mine.origin())
                        : over));
        return new Table(both, origin);
    }

    /** Of keys with dots in them, as at the root of a file, and maps, lists, texts, whole numbers and booleans. */
    static Table of(Map<String, ?> values, Origin origin) {
        Table all = empty(origin);
        for (Map.Entry<String, ?> value : values.entrySet()) {
            Object nested = raw(value.getKey(), value.getValue(), origin);
            List<String> names = List.of(value.getKey().split("\\.", -1));
            for (String name : names.reversed()) {
                nested = new Table(Map.of(name, new Node(nested, origin)), origin);
            }
            all = all.under((Table) nested);
        }
        return all;
    }

    private static Object raw(String key, Object value, Origin origin) {
        return switch (value) {
            case String text -> text;
            case Boolean truth -> truth;
            case Double number -> number;
            case Long number -> number;
            case Integer number -> number.longValue();
            case Map<?, ?> map -> {
                Map<String, Object> named = new LinkedHashMap<>();
                map.forEach((name, one) -> named.put(name.toString(), one));
                yield of(named, origin);
            }
            case List<?> list -> {
                List<Object> raw = new ArrayList<>();
                list.forEach(one -> raw.add(raw(key, one, origin)));
                yield List.copyOf(raw);
            }
            default -> throw new IllegalArgumentException(
                    key + ": a " + value.getClass().getSimpleName() + " cannot be given, write it as in a file");
        };
    }
}
