package io.entrepot.scan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern for paths below some directory. {@code *} is any run of characters within a name, {@code **} any run at all,
 * {@code **}{@code /} no or some directories, {@code ?} one character, {@code [a-z]} one of these, {@code [!a-z]} one of the
 * others, a backslash takes the next character as it is. A pattern without a slash is about the last name, at any depth; one
 * with a slash, also one in front, about the whole path.
 * <p>
 * Paths are bytes: a character is what UTF-8 makes of them, and each byte that is no UTF-8 is a character of its own, which
 * {@code ?}, {@code *} and {@code [!…]} match. The time taken grows with the length of pattern and path and never explodes.
 * Immutable.
 */
public final class Glob {
    /** A byte that is no UTF-8, as a character: above all that there are. */
    private static final int RAW = 0x20_0000;

    private final String text;
    private final boolean wholePath;
    private final List<Part> parts;

    /** What the pattern is made of. Immutable. */
    private sealed interface Part {
        record One(int character) implements Part {}

        record AnyOne() implements Part {}

        record OneOf(boolean negated, List<Range> ranges) implements Part {
            boolean has(int character) {
                return negated != ranges.stream()
                        .anyMatch(range -> range.low() <= character && character <= range.high());
            }
        }

        /** Any run without a slash. */
        record Run() implements Part {}

        /** Any run. */
        record LongRun() implements Part {}

        /** The next two parts may be left out. */
        record TwoOptional() implements Part {}
    }

    private record Range(int low, int high) {}

    private Glob(String text, boolean wholePath, List<Part> parts) {
        this.text = text;
        this.wholePath = wholePath;
        this.parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException if it is empty, ends in a backslash, or a bracket is not closed */
    public static Glob of(String text) {
        byte[] pattern = text.getBytes(StandardCharsets.UTF_8);
        if (pattern.length == 0) {
            throw new IllegalArgumentException("an empty pattern matches nothing");
        }
        boolean anchored = pattern[0] == '/';
        List<Part> parts = new Reader(text, pattern, anchored ? 1 : 0).read();
        return new Glob(text, anchored || text.indexOf('/') >= 0, parts);
    }

    /** @param path as bytes, relative to where the pattern belongs */
    public boolean matches(byte[] path, int length) {
        int from = 0;
        if (!wholePath) {
            from = length;
            while (from > 0 && path[from - 1] != '/') {
                from--;
            }
        }
        boolean[] at = new boolean[parts.size() + 1];
        boolean[] next = new boolean[parts.size() + 1];
        arrive(at, 0);
        for (int i = from; i < length;) {
            int character = Utf8.characterAt(path, i, length);
            i += Utf8.lengthOf(character);
            if (!step(at, next, character)) {
                return false;
            }
            boolean[] swap = at;
            at = next;
            next = swap;
            Arrays.fill(next, false);
        }
        return at[parts.size()];
    }

    /** From all places in the pattern where we may be to those where we may be after one more character. */
    private boolean step(boolean[] at, boolean[] next, int character) {
        boolean anywhere = false;
        for (int i = 0; i < parts.size(); i++) {
            if (at[i]) {
                int to = switch (parts.get(i)) {
                    case Part.One one -> one.character() == character ? i + 1 : -1;
                    case Part.AnyOne _ -> character != '/' ? i + 1 : -1;
                    case Part.OneOf some -> character != '/' && some.has(character) ? i + 1 : -1;
                    case Part.Run _ -> character != '/' ? i : -1;
                    case Part.LongRun _ -> i;
                    case Part.TwoOptional _ -> -1;
                };
                if (to >= 0) {
                    arrive(next, to);
                    anywhere = true;
                }
            }
        }
        return anywhere;
    }

    private void arrive(boolean[] at, int place) {
        at[place] = true;
        if (place < parts.size()) {
            switch (parts.get(place)) {
                case Part.Run _,Part.LongRun _ -> arrive(at, place + 1);
                case Part.TwoOptional _ -> {
                    arrive(at, place + 1);
                    arrive(at, place + 3);
                }
                default -> {
                }
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Glob glob && text.equals(glob.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** As it was given. */
    @Override
    public String toString() {
        return text;
    }

    /** Reads a pattern once, from left to right. */
    private static final class Reader {
        private final String text;
        private final byte[] pattern;
        private int at;

        Reader(String text, byte[] pattern, int from) {
            this.text = text;
            this.pattern = pattern;
            this.at = from;
        }

        List<Part> read() {
            List<Part> parts = new ArrayList<>();
            while (at < pattern.length) {
                boolean nameBegins = at == 0 || pattern[at - 1] == '/';
                int character = next();
                switch (character) {
                    case '*' -> stars(parts, nameBegins);
                    case '?' -> parts.add(new Part.AnyOne());
                    case '[' -> parts.add(bracket());
                    case '\\' -> parts.add(new Part.One(escaped()));
                    default -> parts.add(new Part.One(character));
                }
            }
            return parts;
        }

        private void stars(List<Part> parts, boolean nameBegins) {
            if (!peek('*')) {
                parts.add(new Part.Run());
                return;
            }
            while (peek('*')) {
                at++;
            }
            if (nameBegins && peek('/')) {
                at++;
                parts.add(new Part.TwoOptional());
                parts.add(new Part.LongRun());
                parts.add(new Part.One('/'));
            } else {
                parts.add(new Part.LongRun());
            }
        }

        private Part bracket() {
            boolean negated = peek('!') || peek('^');
            if (negated) {
                at++;
            }
            List<Range> ranges = new ArrayList<>();
            do {
                int low = member();
                int high = low;
                if (peek('-') && at + 1 < pattern.length && pattern[at + 1] != ']') {
                    at++;
                    high = member();
                }
                ranges.add(new Range(low, high));
            } while (!peek(']'));
            at++;
            return new Part.OneOf(negated, List.copyOf(ranges));
        }

        private int member() {
            if (at >= pattern.length) {
                throw new IllegalArgumentException("'" + text + "': the bracket is not closed");
            }
            int character = next();
            return character == '\\' ? escaped() : character;
        }

        private int escaped() {
            if (at >= pattern.length) {
                throw new IllegalArgumentException("'" + text + "' ends in a backslash: write it twice");
            }
            return next();
        }

        private boolean peek(char wanted) {
            return at < pattern.length && pattern[at] == wanted;
        }

        private int next() {
            int character = Utf8.characterAt(pattern, at, pattern.length);
            at += Utf8.lengthOf(character);
            return character;
        }
    }

    /** UTF-8 that does not mind what is none. */
    private static final class Utf8 {
        private Utf8() {}

        static int characterAt(byte[] bytes, int at, int end) {
            int first = bytes[at] & 0xff;
            if (first < 0x80) {
                return first;
            }
            int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
            int raw = RAW | first;
            if (first < 0xc2 || first > 0xf4 || at + length > end) {
                return raw;
            }
            int character = first & (0xff >> (length + 1));
            for (int i = 1; i < length; i++) {
                int more = bytes[at + i];
                if ((more & 0xc0) != 0x80) {
                    return raw;
                }
                character = character << 6 | (more & 0x3f);
            }
            boolean valid = lengthOf(character) == length && character <= 0x10_ffff
                    && (character < 0xd800 || character > 0xdfff);
            return valid ? character : raw;
        }

        static int lengthOf(int character) {
            return (character & RAW) != 0 || character < 0x80
                    ? 1
                    : character < 0x800 ? 2 : character < 0x1_0000 ? 3 : 4;
        }
    }
}
