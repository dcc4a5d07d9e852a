package io.entrepot.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes down what was read, as a file that could be read again, but for secrets. For one thread. */
final class Printing {
    private final List<Shown> shown = new ArrayList<>();
    private final Map<String, Optional<Object>> written = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String header = "";

    /** Is written only if something is set in it. */
    void table(String name) {
        header = name;
    }

    /** Is written in any case: it counts even if it is empty. */
    void entry(String name) {
        header = name;
        flushHeader();
    }

    <T> void setting(String key, Setting<T> setting, T value, Origin origin, Effect effect) {
        Object raw = setting.kind().write(value);
        written.put(key, Optional.of(raw));
        add(new Shown(key, Written.toml(setting.kind().isSecret() ? Secret.MASK : raw), origin, effect));
    }

    void unset(String key, Effect effect) {
        written.put(key, Optional.empty());
        add(new Shown(key, "", new Origin.Default(), effect));
    }

    private void add(Shown one) {
        flushHeader();
        shown.add(one);
        text.append(one).append('\n');
    }

    private void flushHeader() {
        if (!header.isEmpty()) {
            text.append(text.isEmpty() ? "" : "\n").append(header).append('\n');
            header = "";
        }
    }

    List<Shown> shown() {
        return List.copyOf(shown);
    }

    /** What was written for each setting, secrets too: to be compared, and shown to nobody. */
    Map<String, Optional<Object>> written() {
        return written;
    }

    String text() {
        return text.toString();
    }
}
