package io.entrepot.config;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

final class ChoiceKind<E extends Enum<E>> extends Kind<E> {
    private final Map<String, E> byName;

    ChoiceKind(Class<E> type) {
        byName = Stream.of(type.getEnumConstants())
                .collect(toMap(ChoiceKind::name, one -> one, (a, _) -> a, LinkedHashMap::new));
    }

    @Override
    public String description() {
        return byName.keySet().stream().map(Written::toml).collect(joining(", ", "one of ", ""));
    }

    @Override
    E read(Object raw, Path directory) throws Unfit {
        E chosen = raw instanceof String text ? byName.get(text) : null;
        if (chosen == null) {
            throw new Unfit("is not " + description(), Nearest.to(raw.toString(), byName.keySet())
                    .map(near -> "did you mean \"" + near + "\"?").orElse(""));
        }
        return chosen;
    }

    @Override
    Object write(E value) {
        return name(value);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
