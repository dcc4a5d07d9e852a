package io.entrepot.config;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** Values as they are written in a file. */
final class Written {
    private static final int LONGEST_SHOWN = 80;

    private Written() {}

    static String toml(Object raw) {
        return switch (raw) {
            case String text -> quoted(text);
            case List<?> list -> list.stream().map(Written::toml).collect(joining(", ", "[", "]"));
            case Table _ -> "a table";
            default -> raw.toString();
        };
    }

    /** For messages: not longer than a line. */
    static String shown(Object raw) {
        String text = toml(raw);
        return text.codePointCount(0, text.length()) <= LONGEST_SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_SHOWN)) + "…";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            switch (point) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (Character.isISOControl(point)) {
                        quoted.append("\\u%04X".formatted(point));
                    } else {
                        quoted.appendCodePoint(point);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
