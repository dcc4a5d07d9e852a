package io.entrepot.posix.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as printable text, and back. What is valid UTF-8 and can be seen stays as it is; a backslash is doubled; every
 * other byte (controls, newlines, characters that are invisible or change the direction of the text, what is not UTF-8)
 * becomes {@code \xHH}. Reading takes {@code \xHH} for any byte, so what one version of Unicode escapes and the next one
 * shows is still the same name.
 */
public final class Escapes {
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Escapes() {}

    public static String escape(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length + 8);
        for (int at = 0; at < bytes.length;) {
            int first = bytes[at] & 0xff;
            if (first == '\\') {
                text.append("\\\\");
                at++;
            } else if (first >= 0x20 && first < 0x7f) {
                text.append((char) first);
                at++;
            } else {
                int length = sequenceLength(bytes, at);
                int point = length > 1 ? decode(bytes, at, length) : -1;
                if (point >= 0 && isPlain(point)) {
                    text.appendCodePoint(point);
                } else {
                    for (int i = at; i < at + length; i++) {
                        text.append("\\x").append(DIGITS[bytes[i] >> 4 & 0xf]).append(DIGITS[bytes[i] & 0xf]);
                    }
                }
                at += length;
            }
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException if it is not what {@link #escape} gives */
    public static byte[] unescape(String text) {
        if (text.indexOf('\\') < 0) {
            return encode(text);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int at = 0;
        while (at < text.length()) {
            int backslash = text.indexOf('\\', at);
            bytes.writeBytes(encode(text.substring(at, backslash < 0 ? text.length() : backslash)));
            if (backslash < 0) {
                break;
            }
            if (text.startsWith("\\\\", backslash)) {
                bytes.write('\\');
                at = backslash + 2;
            } else {
                bytes.write(hex(text, backslash));
                at = backslash + 4;
            }
        }
        return bytes.toByteArray();
    }

    /** UTF-8, strictly: a surrogate without its other half is refused instead of becoming a question mark. */
    public static byte[] encode(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not a text: half of a surrogate pair stands alone", e);
        }
    }

    private static int hex(String text, int backslash) {
        if (text.startsWith("\\x", backslash) && backslash + 4 <= text.length()) {
            int high = Character.digit(text.charAt(backslash + 2), 16);
            int low = Character.digit(text.charAt(backslash + 3), 16);
            // Only the digits of ASCII: Character.digit knows others as well.
            if (high >= 0 && low >= 0 && text.charAt(backslash + 2) < 0x80 && text.charAt(backslash + 3) < 0x80) {
                return high << 4 | low;
            }
        }
        throw new IllegalArgumentException("bad escape at character " + backslash + " of '" + text
                + "': after a backslash comes another one, or x and two hexadecimal digits");
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR ->
                false;
            default -> true;
        };
    }

    /** How many bytes from here on are one valid UTF-8 sequence; 1 if they are none. */
    private static int sequenceLength(byte[] bytes, int at) {
        int first = bytes[at] & 0xff;
        int length = first >= 0xc2 && first <= 0xdf
                ? 2
                : first >= 0xe0 && first <= 0xef
                        ? 3
                        : first >= 0xf0 && first <= 0xf4 ? 4 : 1;
        if (length == 1 || at + length > bytes.length) {
            return 1;
        }
        for (int i = at + 1; i < at + length; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return 1;
            }
        }
        int point = decode(bytes, at, length);
        boolean overlong = point < (length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80);
        return overlong || point > Character.MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff) ? 1 : length;
    }

    private static int decode(byte[] bytes, int at, int length) {
        int point = bytes[at] & (0xff >> (length + 1));
        for (int i = at + 1; i < at + length; i++) {
            point = point << 6 | (bytes[i] & 0x3f);
        }
        return point;
    }
}
