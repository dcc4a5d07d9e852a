package io.entrepot.posix;

import io.entrepot.posix.internal.Escapes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The name of one entry of a directory, as the bytes it is to the kernel. Never empty, without slash and NUL, and neither
 * {@code .} nor {@code ..}, so that a name can never lead out of its directory. Ordered by unsigned bytes. Immutable.
 */
public final class Name implements Comparable<Name> {
    private final byte[] bytes;
    private final int hash;

    private Name(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("a name is not empty");
        }
        if (isDots(bytes, 0, bytes.length)) {
            throw new IllegalArgumentException("'" + Escapes.escape(bytes) + "' is not the name of an entry");
        }
        int sum = 1;
        for (byte b : bytes) {
            if (b == '/' || b == 0) {
                throw new IllegalArgumentException(
                        "'" + Escapes.escape(bytes) + "' is not a name: it holds a " + (b == 0 ? "NUL" : "slash"));
            }
            sum = 31 * sum + b;
        }
        this.bytes = bytes;
        this.hash = sum;
    }

    /** A copy of the bytes. */
    public static Name of(byte[] bytes) {
        return new Name(bytes.clone());
    }

    public static Name of(byte[] bytes, int from, int to) {
        return new Name(Arrays.copyOfRange(bytes, from, to));
    }

    /** A copy of bytes in memory outside of the heap. */
    public static Name of(MemorySegment memory, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return new Name(bytes);
    }

    /** The name as UTF-8, taken literally: a backslash is a backslash. */
    public static Name of(String text) {
        return new Name(Escapes.encode(text));
    }

    /**
     * Reads what {@link #toString} gives.
     *
     * @throws IllegalArgumentException if there is a bad escape, or it is no name
     */
    public static Name parse(String escaped) {
        return new Name(Escapes.unescape(escaped));
    }

    public int length() {
        return bytes.length;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public byte byteAt(int index) {
        return bytes[index];
    }

    public void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    public void copyTo(MemorySegment target, long offset) {
        MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    /** Whether these are the bytes of the name. */
    public boolean contentEquals(byte[] other, int from, int to) {
        return Arrays.equals(bytes, 0, bytes.length, other, from, to);
    }

    /** Like {@link #compareTo}, with a name that is only bytes. */
    public int compareTo(byte[] other, int from, int to) {
        return Arrays.compareUnsigned(bytes, 0, bytes.length, other, from, to);
    }

    @Override
    public int compareTo(Name other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Name name && hash == name.hash && Arrays.equals(bytes, name.bytes));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Printable and reversible: see {@link #parse}. */
    @Override
    public String toString() {
        return Escapes.escape(bytes);
    }

    static boolean isDots(byte[] bytes, int from, int to) {
        int length = to - from;
        return (length == 1 || (length == 2 && bytes[from + 1] == '.')) && bytes[from] == '.';
    }
}
