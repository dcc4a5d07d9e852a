package io.entrepot.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a file along the sections, and gathers what is wrong instead of stopping at it. A part with a mistake in it
 * has no value; then the section it is in is not made either, but the parts beside it are read. For one thread.
 */
final class Reading {
    private final Section<?> root;
    private final Path directory;
    private final List<Mistake> mistakes = new ArrayList<>();
    private final Printing printing = new Printing();
    /** Of the list of tables that is being read, if one is: it goes over that of the settings in it. */
    private Optional<Effect> effect = Optional.empty();

    Reading(Section<?> root, Path directory) {
        this.root = root;
        this.directory = directory;
    }

    static <T> Configuration<T> of(Section<T> root, Table table, Path directory) {
        Reading reading = new Reading(root, directory);
        Optional<T> value = reading.section(root, table, "");
        if (!reading.mistakes.isEmpty()) {
            throw new ConfigurationException(reading.mistakes);
        }
        return new Configuration<>(value.orElseThrow(), reading.printing,
                new Configuration.Read<>(root, table, directory));
    }

    private <T> Optional<T> section(Section<T> section, Table table, String path) {
        int before = mistakes.size();
        table.nodes().forEach((name, node) -> {
            if (section.parts().stream().noneMatch(part -> part.name().equals(name))) {
                mistakes.add(new Unknown(root, section, path).mistake(name, node));
            }
        });
        Map<Part<?>, Object> values = new HashMap<>();
        // Settings first, as TOML wants them when they are printed.
        for (Part<?> part : section.parts().stream().sorted(Comparator.comparing(p -> !(p instanceof Setting)))
                .toList()) {
            String key = Names.join(path, part.name());
            Table.Node node = table.get(part.name());
            Optional<?> value = switch (part) {
                case Setting<?> setting -> setting(setting, node, table, key);
                case Section<?> inner -> inner(inner, node, table, key);
                case Entries<?> entries -> entries(entries, node, key);
            };
            value.ifPresent(it -> values.put(part, it));
        }
        if (mistakes.size() > before) {
            return Optional.empty();
        }
        try {
            return Optional.of(section.into().apply(new Values(values)));
        } catch (IllegalArgumentException e) {
            return wrong(table.origin(), path, String.valueOf(e.getMessage()), "");
        }
    }

    private <T> Optional<T> setting(Setting<T> setting, Table.@Nullable Node node, Table table, String key) {
        if (node != null) {
            Optional<T> value = value(setting, node.value(), node.origin(), key);
            value.ifPresent(it -> printing.setting(key, setting, it, node.origin(), effect(setting)));
            return value;
        }
        return switch (setting.absence()) {
            case Setting.Absence.Refused<T> _ ->
                wrong(table.origin(), key, "is missing", "it has no default: " + setting.kind().description());
            case Setting.Absence.Unset<T>(T nothing) -> {
                printing.unset(key, effect(setting));
                yield Optional.of(nothing);
            }
            case Setting.Absence.Default<T>(T byDefault) -> {
                Origin origin = new Origin.Default();
                Optional<T> value = value(setting, setting.kind().write(byDefault), origin, key);
                value.ifPresent(it -> printing.setting(key, setting, it, origin, effect(setting)));
                yield value;
            }
        };
    }

    private Effect effect(Setting<?> setting) {
        return effect.orElse(setting.effect());
    }

    private <T> Optional<T> value(Setting<T> setting, Object raw, Origin origin, String key) {
        try {
            return Optional.of(setting.kind().read(raw, directory));
        } catch (Unfit e) {
            return setting.kind().isSecret()
                    ? wrong(origin, key, "the value " + e.problem(), "")
                    : wrong(origin, key, Written.shown(raw) + " " + e.problem(), e.suggestion());
        }
    }

    private <T> Optional<T> inner(Section<T> section, Table.@Nullable Node node, Table outer, String key) {
        String header = "[" + plain(key) + "]";
        if (node == null) {
            printing.table(header);
            return section(section, Table.empty(outer.origin()), key);
        }
        if (node.value() instanceof Table table) {
            printing.table(header);
            return section(section, table, key);
        }
        return wrong(node.origin(), key, "is one table, not a value or a list",
                "write " + header + " on a line, and its keys below");
    }

    private <T> Optional<List<T>> entries(Entries<T> entries, Table.@Nullable Node node, String key) {
        if (node == null) {
            return Optional.of(List.of());
        }
        String header = "[[" + plain(key) + "]]";
        if (!(node.value() instanceof List<?> list) || !list.stream().allMatch(Table.class::isInstance)) {
            return wrong(node.origin(), key, "is a list of tables", "write " + header + " on a line before each");
        }
        int before = mistakes.size();
        Duplicates duplicates = new Duplicates(entries.distinct(), directory);
        List<T> all = new ArrayList<>();
        int number = 0;
        Optional<Effect> around = effect;
        effect = Optional.of(effect.orElse(entries.effect()));
        for (Object one : list) {
            Table table = (Table) one;
            String path = key + "#" + ++number;
            printing.entry(header);
            section(entries.each(), table, path).ifPresent(all::add);
            mistakes.addAll(duplicates.add(table, path));
        }
        effect = around;
        return mistakes.size() == before ? Optional.of(List.copyOf(all)) : Optional.empty();
    }

    private <T> Optional<T> wrong(Origin origin, String key, String problem, String suggestion) {
        mistakes.add(new Mistake(origin, key, problem, suggestion));
        return Optional.empty();
    }

    /** Without the numbers of entries, as it is written. */
    static String plain(String key) {
        return key.replaceAll("#\\d+", "");
    }
}
