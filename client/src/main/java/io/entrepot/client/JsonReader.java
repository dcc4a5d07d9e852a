package io.entrepot.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON texts, as RFC 8259 has them. So little is needed of it that no library is. For one thread. */
final class JsonReader {
    /** Deeper than anything the server says; what is deeper would fill the stack. */
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    @Nullable
    Object read() {
        Object value = value();
        skip();
        if (at < text.length()) {
            throw wrong();
        }
        return value;
    }

    private @Nullable Object value() {
        if (++depth > DEEPEST) {
            throw wrong();
        }
        char first = peek();
        Object value = switch (first) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
        depth--;
        return value;
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        at++;
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            if (peek() != '"') {
                throw wrong();
            }
            String name = string();
            expect(':');
            fields.put(name, value());
            if (peek() != ',') {
                expect('}');
                return fields;
            }
            at++;
        }
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value());
            if (peek() != ',') {
                expect(']');
                return elements;
            }
            at++;
        }
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        at++;
        for (char c = next(); c != '"'; c = next()) {
            if (c < ' ') {
                throw wrong();
            }
            read.append(c == '\\' ? escaped(next()) : c);
        }
        return read.toString();
    }

    private char escaped(char c) {
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong();
                }
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw wrong();
        };
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(from, at);
        if (!digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
            throw wrong();
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return Double.parseDouble(digits);
        }
    }

    private @Nullable Object word(String word, @Nullable Object meaning) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return meaning;
    }

    private void skip() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        skip();
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private char next() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at++);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong();
        }
        at++;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }

    static void write(@Nullable Object value, StringBuilder to) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> field : map.entrySet()) {
                to.append(before);
                quote(String.valueOf(field.getKey()), to);
                to.append(':');
                write(field.getValue(), to);
                before = ",";
            }
            to.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object one : list) {
                to.append(before);
                write(one, to);
                before = ",";
            }
            to.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            quote(string, to);
        } else {
            to.append(value);
        }
    }

    private static void quote(String string, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                to.append(String.format("\\u%04x", (int) c));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }
}
