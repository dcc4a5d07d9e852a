package io.entrepot.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings by environment variables: {@code server.idle-timeout} is {@code PREFIX_SERVER_IDLE_TIMEOUT}. Lists are separated by
 * commas. Settings of lists of tables have no variable.
 */
public final class Environment {
    private static final Path ANYWHERE = Path.of("/");

    private final Map<String, Setting<?>> settings = new TreeMap<>();
    private final Map<String, String> keys = new TreeMap<>();
    private final String prefix;

    private Environment(Section<?> root, String prefix) {
        this.prefix = prefix;
        gather(root, "");
    }

    /** A source for each variable of a setting. Others are nobody's business here. */
    public static List<Source> sources(Section<?> root, String prefix, Map<String, String> variables) {
        Environment environment = new Environment(root, prefix);
        List<Source> sources = new ArrayList<>();
        new TreeMap<>(variables).forEach((variable, text) -> {
            Setting<?> setting = environment.settings.get(variable);
            String key = environment.keys.get(variable);
            if (setting != null && key != null) {
                sources.add(new Source(variable, Map.of(key, raw(setting.kind(), text))));
            }
        });
        return sources;
    }

    private void gather(Section<?> section, String path) {
        for (Part<?> part : section.parts()) {
            String key = Names.join(path, part.name());
            switch (part) {
                case Setting<?> setting -> {
                    settings.put(variable(key), setting);
                    keys.put(variable(key), key);
                }
                case Section<?> inner -> gather(inner, key);
                case Entries<?> _ -> {
                }
            }
        }
    }

    private String variable(String key) {
        return prefix + "_" + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The first form that the kind takes; the text itself if it takes none, so that it is told as a mistake. */
    private static Object raw(Kind<?> kind, String text) {
        List<Object> forms = new ArrayList<>(List.of(text));
        whole(text).ifPresent(forms::add);
        decimal(text).ifPresent(forms::add);
        if (text.equals("true") || text.equals("false")) {
            forms.add(Boolean.parseBoolean(text));
        }
        forms.add(text.isEmpty() ? List.of() : List.of(text.split(",", -1)));
        return forms.stream().filter(form -> takes(kind, form)).findFirst().orElse(text);
    }

    private static Optional<Long> whole(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Double> decimal(String text) {
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean takes(Kind<?> kind, Object form) {
        try {
            kind.read(form, ANYWHERE);
            return true;
        } catch (Unfit e) {
            return false;
        }
    }
}
