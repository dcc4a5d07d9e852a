package io.entrepot.config;

import java.util.ArrayList;
import java.util.List;

/** Writes down what was read, as a file that could be read again, but for secrets. For one thread. */
final class Printing {
    private final List<Shown> shown = new ArrayList<>();
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

    <T> void setting(String key, Setting<T> setting, T value, Origin origin) {
        Object raw = setting.kind().isSecret() ? Secret.MASK : setting.kind().write(value);
        add(new Shown(key, Written.toml(raw), origin));
    }

    void unset(String key) {
        add(new Shown(key, "", new Origin.Default()));
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

    String text() {
        return text.toString();
    }
}
