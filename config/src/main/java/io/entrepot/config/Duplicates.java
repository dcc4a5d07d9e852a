package io.entrepot.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds entries with the same value where they must differ, whatever else is wrong with them. For one thread. */
final class Duplicates {
    private final List<Setting<?>> distinct;
    private final Path directory;
    private final Map<Seen, Origin> first = new HashMap<>();

    private record Seen(Setting<?> setting, Object value) {}

    Duplicates(List<Setting<?>> distinct, Path directory) {
        this.distinct = distinct;
        this.directory = directory;
    }

    /** @param path the key of the entry */
    List<Mistake> add(Table entry, String path) {
        List<Mistake> mistakes = new ArrayList<>();
        for (Setting<?> setting : distinct) {
            Table.Node node = entry.get(setting.name());
            Origin origin = node == null ? entry.origin() : node.origin();
            value(setting, node).ifPresent(value -> {
                Origin earlier = first.putIfAbsent(new Seen(setting, value), origin);
                if (earlier != null) {
                    mistakes.add(new Mistake(origin, Names.join(path, setting.name()),
                            "is the same as at " + earlier, "each needs its own"));
                }
            });
        }
        return mistakes;
    }

    private <T> Optional<T> value(Setting<T> setting, Table.@Nullable Node node) {
        try {
            if (node != null) {
                return Optional.of(setting.kind().read(node.value(), directory));
            }
            return setting.absence() instanceof Setting.Absence.Default<T>(T value)
                    ? Optional.of(value)
                    : Optional.empty();
        } catch (Unfit e) {
            return Optional.empty(); // told already
        }
    }
}
