package io.entrepot.pool;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a volume is: a directory, or what somebody brings a backend for, as {@code scheme:rest}. What is written is shown to people,
 * and kept in the database: it holds no secrets. Immutable.
 *
 * <p>{@link #parse} reads what {@link Object#toString} writes. A text is a directory's path unless it begins like {@code s3:}, with a
 * scheme of at least two characters: a directory of such a name is written {@code ./s3:} or with its whole path.
 */
public sealed interface Location {
    /** What directories are asked for by. */
    String DIRECTORY_SCHEME = "file";

    /** @param path as it was written; {@link #absolute} makes it the same for everybody */
    record Directory(Path path) implements Location {

        @Override
        public String scheme() {
            return DIRECTORY_SCHEME;
        }

        @Override
        public Optional<Path> directory() {
            return Optional.of(path);
        }

        @Override
        public Location absolute() {
            return new Directory(path.toAbsolutePath().normalize());
        }

        @Override
        public String toString() {
            return Elsewhere.TEXT.matcher(path.toString()).matches() ? "./" + path : path.toString();
        }
    }

    /**
     * @param scheme whose affair it is: 2 to 32 of a-z 0-9 + . -, starting with a letter
     * @param rest   what only that knows, as {@code bucket/prefix}: 1 to 1024 characters, without control characters and blanks
     */
    record Elsewhere(String scheme, String rest) implements Location {
        static final Pattern TEXT = Pattern.compile("([a-z][a-z0-9+.-]{1,31}):(.*)", Pattern.DOTALL);
        private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]{1,31}");
        private static final int LONGEST = 1024;

        public Elsewhere {
            if (!SCHEME.matcher(scheme).matches() || scheme.equals(DIRECTORY_SCHEME)) {
                throw new InvalidSettingException("\"" + scheme + "\" is no scheme of a volume's place: 2 to 32 of a-z"
                        + " 0-9 + . -, starting with a letter; a directory is written as its path alone");
            }
            if (rest.isEmpty() || rest.length() > LONGEST
                    || rest.chars().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
                throw new InvalidSettingException("what follows " + scheme + ": has 1 to " + LONGEST
                        + " characters, and neither blanks nor control characters");
            }
        }

        @Override
        public Optional<Path> directory() {
            return Optional.empty();
        }

        @Override
        public Location absolute() {
            return this;
        }

        @Override
        public String toString() {
            return scheme + ":" + rest;
        }
    }

    static Location of(Path directory) {
        return new Directory(directory);
    }

    /** @throws InvalidSettingException if it is neither a path nor a scheme and what follows it */
    static Location parse(String text) {
        var matcher = Elsewhere.TEXT.matcher(text);
        if (matcher.matches()) {
            return new Elsewhere(matcher.group(1), matcher.group(2));
        }
        try {
            return new Directory(Path.of(text));
        } catch (InvalidPathException e) {
            throw new InvalidSettingException("\"" + text + "\" is not a path: " + e.getReason(), e);
        }
    }

    /** Whose affair it is. */
    String scheme();

    /** Its path, if that is what it is. */
    Optional<Path> directory();

    /** The same wherever it is read. */
    Location absolute();

    /** Whether one lies in the other, or they are the same: of absolute ones, as far as their texts say. */
    default boolean overlaps(Location other) {
        if (this instanceof Directory here && other instanceof Directory there) {
            return here.path.startsWith(there.path) || there.path.startsWith(here.path);
        }
        String one = this + "/";
        String another = other + "/";
        return scheme().equals(other.scheme()) && (one.startsWith(another) || another.startsWith(one));
    }
}
