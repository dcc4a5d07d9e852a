package io.entrepot.posix;

import io.entrepot.posix.internal.Escapes;
import io.entrepot.posix.internal.nio.NioNames;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A path as bytes, absolute or relative. Repeated and trailing slashes and {@code .} are dropped, so equal paths have equal
 * bytes; {@code ..} is refused, as what it means depends on symbolic links: resolve it before. The relative path without
 * names is the current directory, written {@code .}. Ordered by unsigned bytes. Immutable; one array.
 */
public final class BytePath implements Comparable<BytePath> {
    public static final BytePath ROOT = new BytePath(new byte[]{'/'});
    public static final BytePath CURRENT = new BytePath(new byte[0]);

    private final byte[] bytes;

    private BytePath(byte[] bytes) {
        this.bytes = bytes;
    }

    /** UTF-8, taken literally. */
    public static BytePath of(String text) {
        return of(Escapes.encode(text));
    }

    public static BytePath of(byte[] path) {
        byte[] clean = new byte[path.length];
        int length = 0;
        if (path.length > 0 && path[0] == '/') {
            clean[length++] = '/';
        }
        for (int from = 0; from <= path.length;) {
            int to = slashOrEnd(path, from);
            if (to - from == 2 && path[from] == '.' && path[from + 1] == '.') {
                throw new IllegalArgumentException("'" + Escapes.escape(path) + "' holds '..': resolve it first");
            }
            if (to > from && !Name.isDots(path, from, to)) {
                if (length > 0 && clean[length - 1] != '/') {
                    clean[length++] = '/';
                }
                for (int i = from; i < to; i++) {
                    if (path[i] == 0) {
                        throw new IllegalArgumentException(
                                "'" + Escapes.escape(path) + "' is not a path: it holds a NUL");
                    }
                    clean[length++] = path[i];
                }
            }
            from = to + 1;
        }
        return new BytePath(length == path.length ? clean : Arrays.copyOf(clean, length));
    }

    /** The bytes that Java's path stands for. Best effort where Java could not decode the name itself. */
    public static BytePath of(Path path) {
        return of(NioNames.bytes(path));
    }

    /**
     * Reads what {@link #toString} gives.
     *
     * @throws IllegalArgumentException if there is a bad escape, or it is no path
     */
    public static BytePath parse(String escaped) {
        return of(Escapes.unescape(escaped));
    }

    /** Java's path for these bytes. Best effort where they are no text in the encoding of the platform. */
    public Path toPath() {
        return NioNames.path(bytes);
    }

    public boolean isAbsolute() {
        return bytes.length > 0 && bytes[0] == '/';
    }

    /** How many names there are. */
    public int depth() {
        if (bytes.length == start()) {
            return 0;
        }
        int depth = 1;
        for (int i = start(); i < bytes.length; i++) {
            if (bytes[i] == '/') {
                depth++;
            }
        }
        return depth;
    }

    public List<Name> names() {
        List<Name> names = new ArrayList<>();
        for (int from = start(); from < bytes.length;) {
            int to = slashOrEnd(bytes, from);
            names.add(Name.of(bytes, from, to));
            from = to + 1;
        }
        return List.copyOf(names);
    }

    /** The last name; none for the root and the current directory. */
    public Optional<Name> name() {
        int from = lastNameAt();
        return from == bytes.length ? Optional.empty() : Optional.of(Name.of(bytes, from, bytes.length));
    }

    /** Without the last name; none for the root and the current directory. */
    public Optional<BytePath> parent() {
        int from = lastNameAt();
        if (from == bytes.length) {
            return Optional.empty();
        }
        if (from == start()) {
            return Optional.of(isAbsolute() ? ROOT : CURRENT);
        }
        return Optional.of(new BytePath(Arrays.copyOf(bytes, from - 1)));
    }

    public BytePath resolve(Name name) {
        int prefix = prefixLength();
        byte[] joined = Arrays.copyOf(bytes, prefix + name.length());
        if (prefix > bytes.length) {
            joined[bytes.length] = '/';
        }
        name.copyTo(joined, prefix);
        return new BytePath(joined);
    }

    /** The other one, as seen from here: itself if it is absolute. */
    public BytePath resolve(BytePath other) {
        if (other.isAbsolute() || bytes.length == 0) {
            return other;
        }
        if (other.bytes.length == 0) {
            return this;
        }
        int prefix = prefixLength();
        byte[] joined = Arrays.copyOf(bytes, prefix + other.bytes.length);
        if (prefix > bytes.length) {
            joined[bytes.length] = '/';
        }
        System.arraycopy(other.bytes, 0, joined, prefix, other.bytes.length);
        return new BytePath(joined);
    }

    /** Whether this is the other one or lies under it, by whole names. */
    public boolean startsWith(BytePath other) {
        if (isAbsolute() != other.isAbsolute()) {
            return false;
        }
        int length = other.bytes.length;
        return length <= bytes.length && Arrays.equals(bytes, 0, length, other.bytes, 0, length)
                && (length == bytes.length || length == other.start() || bytes[length] == '/');
    }

    /**
     * The way from here down to the other one.
     *
     * @throws IllegalArgumentException if it does not lie under this one
     */
    public BytePath relativize(BytePath other) {
        if (!other.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not under " + this);
        }
        int from = Math.min(prefixLength(), other.bytes.length);
        return new BytePath(Arrays.copyOfRange(other.bytes, from, other.bytes.length));
    }

    /** In bytes. */
    public int length() {
        return bytes.length;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public byte byteAt(int index) {
        return bytes[index];
    }

    public void copyTo(int from, int to, MemorySegment target, long offset) {
        MemorySegment.copy(bytes, from, target, ValueLayout.JAVA_BYTE, offset, to - from);
    }

    @Override
    public int compareTo(BytePath other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BytePath path && Arrays.equals(bytes, path.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Printable and reversible: see {@link #parse}. */
    @Override
    public String toString() {
        return bytes.length == 0 ? "." : Escapes.escape(bytes);
    }

    private int start() {
        return isAbsolute() ? 1 : 0;
    }

    /** Where the next name would begin. */
    private int prefixLength() {
        return bytes.length == start() ? bytes.length : bytes.length + 1;
    }

    private int lastNameAt() {
        int from = bytes.length;
        while (from > 0 && bytes[from - 1] != '/') {
            from--;
        }
        return from;
    }

    private static int slashOrEnd(byte[] path, int from) {
        int to = from;
        while (to < path.length && path[to] != '/') {
            to++;
        }
        return to;
    }
}
