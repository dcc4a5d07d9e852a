package io.entrepot.lease;

/** How many times a thing has been leased: a number that only grows. Immutable. */
public record Epoch(long value) implements Comparable<Epoch> {
    /** Never leased yet. */
    public static final Epoch NONE = new Epoch(0);

    public Epoch {
        if (value < 0) {
            throw new IllegalArgumentException("An epoch is not negative: " + value);
        }
    }

    public Epoch next() {
        if (value == Long.MAX_VALUE) {
            throw new IllegalStateException("There is no epoch after " + value);
        }
        return new Epoch(value + 1);
    }

    public boolean isAfter(Epoch other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Epoch other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
