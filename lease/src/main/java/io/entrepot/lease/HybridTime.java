package io.entrepot.lease;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reading of a hybrid logical clock: milliseconds since 1970, and a counter for what happens within one of them. Packed
 * into one {@code long}, 48 bits and 16 bits, it keeps its order, also in a database column with a sign: hence the
 * milliseconds stop at 2<sup>47</sup>, in the year 6429. As text: {@code 1794799380123-7}. Immutable.
 */
public record HybridTime(long millis, int counter) implements Comparable<HybridTime> {
    public static final HybridTime ZERO = new HybridTime(0, 0);

    static final long LAST_MILLIS = (1L << 47) - 1;
    private static final int LAST_COUNTER = (1 << 16) - 1;
    private static final Pattern TEXT = Pattern.compile("(0|[1-9][0-9]{0,14})-(0|[1-9][0-9]{0,4})");

    public HybridTime {
        if (millis < 0 || millis > LAST_MILLIS || counter < 0 || counter > LAST_COUNTER) {
            throw new IllegalArgumentException("No hybrid time: " + millis + "-" + counter);
        }
    }

    public static HybridTime unpack(long packed) {
        return new HybridTime(packed >> 16, (int) packed & LAST_COUNTER);
    }

    public long packed() {
        return millis << 16 | counter;
    }

    /** The smallest time after this one. A full counter moves the milliseconds on. */
    public HybridTime next() {
        return unpack(Math.incrementExact(packed()));
    }

    /** The time with this text; {@link IllegalArgumentException} for any text that {@link #toString()} does not give. */
    public static HybridTime parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Not a hybrid time: '" + text + "'; one looks like 1794799380123-7");
        }
        return new HybridTime(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    @Override
    public int compareTo(HybridTime other) {
        return Long.compare(packed(), other.packed());
    }

    @Override
    public String toString() {
        return millis + "-" + counter;
    }
}
