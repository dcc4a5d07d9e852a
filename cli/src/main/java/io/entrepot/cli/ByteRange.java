package io.entrepot.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a file as HTTP writes it: 0-99 are the first hundred bytes, 100- all after them, -100 the last hundred. */
record ByteRange(long from, long length) {
    private static final Pattern TEXT = Pattern.compile("(\\d{0,18})-(\\d{0,18})");

    static ByteRange of(String text, long size) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || text.equals("-")) {
            throw wrong(text);
        }
        if (parts.group(1).isEmpty()) {
            long last = Math.min(size, Long.parseLong(parts.group(2)));
            return new ByteRange(size - last, last);
        }
        long from = Long.parseLong(parts.group(1));
        long to = parts.group(2).isEmpty() ? Long.MAX_VALUE - 1 : Long.parseLong(parts.group(2));
        if (to < from) {
            throw wrong(text);
        }
        return new ByteRange(from, Math.max(0, Math.min(size, to + 1) - from));
    }

    private static Failure wrong(String text) {
        return new Failure("usage", "'" + text + "' is not a range of bytes; write it as 0-99, 100- or -100",
                ExitCode.USAGE);
    }
}
