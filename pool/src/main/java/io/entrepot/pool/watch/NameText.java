package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Names, which are bytes, as the pool has them: text. What is not UTF-8 or has control characters is escaped. */
final class NameText {
    private static final int LONGEST = 255;

    private NameText() {}

    /** Of a file. An escaped name may be longer than its bytes: of one that is too long the end is kept. */
    static String of(Name name) {
        String text = text(name);
        return text.length() <= LONGEST ? text : text.substring(text.length() - LONGEST);
    }

    /** The logical directory of what lies in this one. */
    static String directory(BytePath directory) {
        return directory.names().stream().map(NameText::text).collect(Collectors.joining("/"));
    }

    private static String text(Name name) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name.bytes())).toString();
            return text.chars().anyMatch(Character::isISOControl) ? name.toString() : text;
        } catch (CharacterCodingException e) {
            return name.toString();
        }
    }

    /** With a number before the extension, which says that the name itself is taken. */
    static Name numbered(Name name, int number) {
        byte[] bytes = name.bytes();
        int dot = bytes.length;
        for (int i = bytes.length - 1; i > 0; i--) {
            if (bytes[i] == '.') {
                dot = i;
                break;
            }
        }
        byte[] infix = ("-" + number).getBytes(StandardCharsets.US_ASCII);
        int begin = Math.min(dot, Math.max(1, LONGEST - infix.length - (bytes.length - dot)));
        ByteBuffer numbered = ByteBuffer.allocate(begin + infix.length + bytes.length - dot);
        numbered.put(bytes, 0, begin).put(infix).put(bytes, dot, bytes.length - dot);
        return Name.of(numbered.array());
    }
}
