package io.entrepot.cli;

import java.nio.file.Path;
import java.util.Map;

/** Maps, iterables, texts, numbers and truth values as JSON on one line. No state, so safe for use by many threads. */
final class JsonText {

    private JsonText() {}

    static String of(Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                text.append('{');
                map.forEach((key, inner) -> {
                    separate(text);
                    quote(text, String.valueOf(key));
                    text.append(':');
                    append(text, inner);
                });
                text.append('}');
            }
            case Path path -> quote(text, path.toString()); // which is a list of its names, too
            case Iterable<?> list -> {
                text.append('[');
                for (Object inner : list) {
                    separate(text);
                    append(text, inner);
                }
                text.append(']');
            }
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            default -> quote(text, value.toString());
        }
    }

    private static void separate(StringBuilder text) {
        char last = text.charAt(text.length() - 1);
        if (last != '{' && last != '[') {
            text.append(',');
        }
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
