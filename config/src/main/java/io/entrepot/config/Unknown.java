package io.entrepot.config;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says what a key that is not known in a section may have been meant to be. */
record Unknown(Section<?> root, Section<?> section, String path) {

    Mistake mistake(String name, Table.Node node) {
        boolean table = node.value() instanceof Table;
        return new Mistake(node.origin(), Names.join(path, name), table ? "unknown table" : "unknown key",
                suggestion(name));
    }

    private String suggestion(String name) {
        Optional<String> here = Nearest.to(name, names(section));
        if (here.isPresent()) {
            return "did you mean " + Names.join(path, here.get()) + "?";
        }
        Map<String, String> elsewhere = new LinkedHashMap<>();
        gather(root, "", elsewhere);
        Optional<String> there = Nearest.to(name, elsewhere.keySet());
        if (there.isPresent()) {
            return "did you mean " + elsewhere.get(there.get()) + "? A key belongs to the [table] above it";
        }
        return section.parts().isEmpty()
                ? "nothing can be set here"
                : "known here: " + names(section).stream().sorted().collect(joining(", "));
    }

    private static List<String> names(Section<?> section) {
        return section.parts().stream().<String>map(Part::name).toList();
    }

    /** Where each name is known; the first place of several. */
    private static void gather(Section<?> section, String path, Map<String, String> keys) {
        for (Part<?> part : section.parts()) {
            String key = Names.join(path, part.name());
            keys.putIfAbsent(part.name(), key);
            switch (part) {
                case Setting<?> _ -> {
                }
                case Section<?> inner -> gather(inner, key, keys);
                case Entries<?> entries -> gather(entries.each(), key, keys);
            }
        }
    }
}
