package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import java.util.List;

/**
 * Which entries of a tree are wanted, by their paths below its root. What {@code exclude} names is left out; a directory of
 * these is not entered either. If there is any {@code include}, then only what it names is reported, except that directories
 * always are. What {@code prune} names is reported and, if it is a directory, not entered. Immutable.
 */
public record PathFilter(List<Glob> include, List<Glob> exclude, List<Glob> prune) {
    /** Everything. */
    public static final PathFilter ALL = new PathFilter(List.of(), List.of(), List.of());

    public PathFilter {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        prune = List.copyOf(prune);
    }

    public static PathFilter of(List<String> include, List<String> exclude, List<String> prune) {
        return new PathFilter(globs(include), globs(exclude), globs(prune));
    }

    /**
     * Whether a scan reports an entry with this path: if not, then its absence from a listing means nothing.
     *
     * @param relative from the root of the scan
     */
    public boolean selects(BytePath relative, FileType type) {
        BytePath above = BytePath.CURRENT;
        List<Name> names = relative.names();
        for (Name name : names.subList(0, Math.max(names.size() - 1, 0))) {
            above = above.resolve(name);
            byte[] bytes = above.bytes();
            if (!keeps(bytes, bytes.length, true) || !enters(bytes, bytes.length)) {
                return false;
            }
        }
        byte[] bytes = relative.bytes();
        return keeps(bytes, bytes.length, type == FileType.DIRECTORY);
    }

    boolean leavesNothingOut() {
        return include.isEmpty() && exclude.isEmpty();
    }

    /** Whether an entry is reported, given that its directory is listed. */
    boolean keeps(byte[] path, int length, boolean directory) {
        return (directory || include.isEmpty() || any(include, path, length)) && !any(exclude, path, length);
    }

    /** Whether a directory that is reported is entered. */
    boolean enters(byte[] path, int length) {
        return !any(prune, path, length);
    }

    private static boolean any(List<Glob> globs, byte[] path, int length) {
        for (Glob glob : globs) {
            if (glob.matches(path, length)) {
                return true;
            }
        }
        return false;
    }

    private static List<Glob> globs(List<String> texts) {
        return texts.stream().map(Glob::of).toList();
    }
}
