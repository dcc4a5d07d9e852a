package io.entrepot.pool.event;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the bodies of events: JSON objects of texts, whole numbers and booleans. What is not one has nothing in it. */
final class FlatJson {
    private final String text;
    private int at;

    private static final class Malformed extends RuntimeException {}

    private FlatJson(String text) {
        this.text = text;
    }

    static Map<String, Object> parse(String text) {
        try {
            return new FlatJson(text).object();
        } catch (Malformed | NumberFormatException | StringIndexOutOfBoundsException e) {
            return Map.of();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        expect('{');
        if (peek() == '}') {
            at++;
        } else {
            do {
                String name = string();
                expect(':');
                fields.put(name, value());
            } while (next() == ',');
            at--;
            expect('}');
        }
        return fields;
    }

    private Object value() {
        char first = peek();
        if (first == '"') {
            return string();
        }
        int from = at;
        while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '}') {
            at++;
        }
        String word = text.substring(from, at).strip();
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default -> Long.parseLong(word);
        };
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            read.append(c == '\\' ? escaped(text.charAt(at++)) : c);
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
            case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
            default -> throw new Malformed();
        };
    }

    private char peek() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private char next() {
        peek();
        return text.charAt(at++);
    }

    private void expect(char c) {
        if (next() != c) {
            throw new Malformed();
        }
    }
}
