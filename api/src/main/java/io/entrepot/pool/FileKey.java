package io.entrepot.pool;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of a stored file: 32 lowercase hex digits.
 *
 * <p>It hides a number, which the database finds the file by without an index of keys, and 64 random bits, so that nobody
 * can guess one key from another. The digits are arranged so that the first four, which name the directories, are the
 * same for 256 files that came one after another and are spread evenly beyond that: files that were written together share
 * a directory, and so do its syncs, and no directory grows large.
 */
public record FileKey(long number, long nonce) {
    private static final Pattern ALLOWED = Pattern.compile("[0-9a-f]{32}");
    private static final HexFormat HEX = HexFormat.of();
    /** Odd, so that multiplying by it modulo 2^16 can be undone; {@code UNSPREAD} does that. */
    private static final int SPREAD = 0x9E37;
    private static final int UNSPREAD = inverse(SPREAD);

    public FileKey {
        if (number < 1) {
            throw new IllegalArgumentException("file numbers start at 1: " + number);
        }
    }

    public static boolean isValid(String text) {
        return ALLOWED.matcher(text).matches() && number(HexFormat.fromHexDigitsToLong(text, 0, 16)) > 0;
    }

    /** The inverse of {@link #toString}. */
    public static FileKey parse(String text) {
        if (!isValid(text)) {
            throw new IllegalArgumentException("\"" + text + "\" is not a file key: 32 of 0-9 a-f");
        }
        return new FileKey(number(HexFormat.fromHexDigitsToLong(text, 0, 16)),
                HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    @Override
    public String toString() {
        return HEX.toHexDigits(arranged(number)) + HEX.toHexDigits(nonce);
    }

    /** Bits 8 to 23, spread, go first; then bits 24 to 31, 32 to 39, … 56 to 63, then 0 to 7. */
    private static long arranged(long number) {
        long directory = ((number >>> 8) * SPREAD) & 0xFFFF;
        long rest = Long.reverseBytes(number >>> 24) >>> 24;
        return directory << 48 | rest << 8 | (number & 0xFF);
    }

    private static long number(long arranged) {
        long directory = ((arranged >>> 48) * UNSPREAD) & 0xFFFF;
        long rest = Long.reverseBytes((arranged >>> 8) << 24);
        return rest << 24 | directory << 8 | (arranged & 0xFF);
    }

    private static int inverse(int odd) {
        int inverse = odd;
        for (int i = 0; i < 4; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse & 0xFFFF;
    }
}
