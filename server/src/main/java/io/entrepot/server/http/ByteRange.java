package io.entrepot.server.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file that somebody wants.
 *
 * @param length may be 0 only for an empty file
 */
public record ByteRange(long from, long length) {
    private static final Pattern ONE = Pattern.compile("bytes\\s*=\\s*(\\d*)\\s*-\\s*(\\d*)");

    /** What a header comes to. */
    public sealed interface Wish {
        /** The whole: nothing was asked for, or nothing that is understood, or several parts at once. */
        record Whole() implements Wish {}

        record Part(ByteRange range) implements Wish {}

        /** Nothing of what was asked for is there. */
        record Nothing() implements Wish {}
    }

    public static Wish of(Optional<String> header, long size) {
        Matcher matcher = ONE.matcher(header.orElse("").strip());
        if (!matcher.matches() || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
            return new Wish.Whole();
        }
        if (matcher.group(1).isEmpty()) {
            return last(number(matcher.group(2)), size);
        }
        long from = number(matcher.group(1));
        long to = matcher.group(2).isEmpty() ? Long.MAX_VALUE : number(matcher.group(2));
        if (to < from) {
            return new Wish.Whole();
        }
        return from >= size
                ? new Wish.Nothing()
                : new Wish.Part(new ByteRange(from, Math.min(to, size - 1) - from + 1));
    }

    private static Wish last(long count, long size) {
        return count == 0 || size == 0
                ? new Wish.Nothing()
                : new Wish.Part(new ByteRange(Math.max(0, size - count), Math.min(count, size)));
    }

    /** More than any file has, if it is too large for a number. */
    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
