package io.entrepot.pool;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a file belongs in its tenant's own order, for quotas and for people; it has nothing to do with where the bytes are.
 * {@code /} is the root; others are {@code a/b/c}, without a slash at either end.
 */
public record LogicalDirectory(String path) implements Comparable<LogicalDirectory> {
    public static final LogicalDirectory ROOT = new LogicalDirectory("/");
    private static final int LONGEST = 512;
    private static final Pattern OUTER_SLASHES = Pattern.compile("^/+|/+$");

    public LogicalDirectory {
        if (path.length() > LONGEST) {
            throw new InvalidNameException("a logical directory has at most " + LONGEST + " characters, not "
                    + path.length());
        }
        if (!path.equals("/")) {
            for (String part : path.split("/", -1)) {
                if (part.isEmpty() || part.equals(".") || part.equals("..")
                        || part.chars().anyMatch(Character::isISOControl)) {
                    throw new InvalidNameException("\"" + path + "\" is not a logical directory: write it as a/b/c,"
                            + " without empty parts, \".\", \"..\" and control characters");
                }
            }
        }
    }

    /** As people write it: slashes at the ends do not matter, and nothing at all is the root. */
    public static LogicalDirectory of(String text) {
        String path = OUTER_SLASHES.matcher(text).replaceAll("");
        return path.isEmpty() ? ROOT : new LogicalDirectory(path);
    }

    /** The one above; none above the root. */
    public Optional<LogicalDirectory> parent() {
        if (path.equals("/")) {
            return Optional.empty();
        }
        int slash = path.lastIndexOf('/');
        return Optional.of(slash < 0 ? ROOT : new LogicalDirectory(path.substring(0, slash)));
    }

    @Override
    public int compareTo(LogicalDirectory other) {
        return path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path;
    }
}
