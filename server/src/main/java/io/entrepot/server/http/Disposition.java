package io.entrepot.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** {@code Content-Disposition} of a file that is to be saved, never shown: with its name, in a way that no name can break. */
public final class Disposition {
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";

    private Disposition() {}

    /** Both ways to tell a name (RFC 6266): in plain characters for old programs, and in all for others. */
    public static String of(Optional<String> name, String otherwise) {
        String last = name.map(text -> text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1))
                .filter(text -> !text.isBlank()).orElse(otherwise);
        StringBuilder plain = new StringBuilder();
        last.chars().forEach(c -> plain.append(PLAIN.indexOf(c) >= 0 || c == ' ' ? (char) c : '_'));
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded(last);
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xFF;
            if (c < 0x80 && PLAIN.indexOf(c) >= 0) {
                encoded.append((char) c);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
