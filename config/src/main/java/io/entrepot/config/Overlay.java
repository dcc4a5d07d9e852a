package io.entrepot.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lays what can be changed while a program runs over what it runs with. Both were read without mistakes.
 *
 * @param held keys that stay although they could be changed otherwise
 */
record Overlay(Predicate<String> held) {

    Table of(Section<?> section, Table running, Table next, String path) {
        Map<String, Table.Node> nodes = new LinkedHashMap<>();
        for (Part<?> part : section.parts()) {
            String key = Names.join(path, part.name());
            Table.Node was = running.get(part.name());
            Table.Node is = next.get(part.name());
            Table.Node node = switch (part) {
                case Setting<?> setting -> setting.effect() == Effect.RELOAD && !held.test(key) ? is : was;
                case Section<?> inner -> inner(inner, was, is, key);
                case Entries<?> entries -> entries.effect() == Effect.RELOAD && !held.test(key) ? is : was;
            };
            if (node != null) {
                nodes.put(part.name(), node);
            }
        }
        return new Table(nodes, next.origin());
    }

    private Table.@Nullable Node inner(Section<?> section, Table.@Nullable Node was, Table.@Nullable Node is,
            String key) {
        Table.Node named = is == null ? was : is;
        return named == null
                ? null
                : new Table.Node(of(section, table(was, named), table(is, named), key), named.origin());
    }

    private static Table table(Table.@Nullable Node node, Table.Node otherwise) {
        return node != null && node.value() instanceof Table table ? table : Table.empty(otherwise.origin());
    }
}
