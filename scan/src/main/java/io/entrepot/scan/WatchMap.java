package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which directory each watch is on, as a tree with one root, and some <i>adrift</i>: they were moved away, and it is not yet
 * known whether to a place in the tree. For one thread.
 */
final class WatchMap {
    private final BytePath rootPath;
    private final Map<Integer, WatchedDirectory> byWatch = new LinkedHashMap<>();
    private final Map<WatchedDirectory, Long> adrift = new LinkedHashMap<>();
    private @Nullable WatchedDirectory root;
    private long version;

    WatchMap(BytePath rootPath) {
        this.rootPath = rootPath;
    }

    int size() {
        return byWatch.size();
    }

    Optional<WatchedDirectory> root() {
        return Optional.ofNullable(root);
    }

    @Nullable
    WatchedDirectory get(int watch) {
        return byWatch.get(watch);
    }

    Collection<WatchedDirectory> all() {
        return byWatch.values();
    }

    /** The directory at a path, if it is watched. */
    Optional<WatchedDirectory> at(BytePath path) {
        if (!path.startsWith(rootPath)) {
            return Optional.empty();
        }
        WatchedDirectory found = root;
        for (Name name : rootPath.relativize(path).names()) {
            if (found == null) {
                break;
            }
            found = found.children.get(name);
        }
        return Optional.ofNullable(found);
    }

    /** Where it is, as far as the events have told; null if it is adrift. */
    @Nullable
    BytePath path(WatchedDirectory directory) {
        if (directory.pathVersion == version) {
            return directory.path;
        }
        ArrayDeque<WatchedDirectory> way = new ArrayDeque<>();
        WatchedDirectory top = directory;
        while (top.parent != null && top.pathVersion != version) {
            way.push(top);
            top = top.parent;
        }
        if (top.pathVersion != version) {
            top.path = top == root ? rootPath : null;
            top.pathVersion = version;
        }
        BytePath path = top.path;
        for (WatchedDirectory step : way) {
            path = path == null || step.name == null ? null : path.resolve(step.name);
            step.path = path;
            step.pathVersion = version;
        }
        return path;
    }

    void setRoot(WatchedDirectory directory) {
        unlink(directory);
        adrift.remove(directory);
        byWatch.put(directory.watch, directory);
        root = directory;
        version++;
    }

    /**
     * Puts a directory in its place, wherever it was before; what was in that place goes adrift.
     *
     * @return false if that place lies inside of it, which is only so when events about one of them have not come yet
     */
    boolean attach(WatchedDirectory directory, WatchedDirectory parent, Name name, long now) {
        if (directory.parent == parent && parent.children.get(name) == directory) {
            return true;
        }
        for (WatchedDirectory above = parent; above != null; above = above.parent) {
            if (above == directory) {
                return false;
            }
        }
        WatchedDirectory there = parent.children.get(name);
        if (there != null) {
            detach(there, now);
        }
        boolean known = byWatch.put(directory.watch, directory) != null;
        unlink(directory);
        adrift.remove(directory);
        directory.parent = parent;
        directory.name = name;
        parent.children.put(name, directory);
        if (known) {
            version++;
        }
        return true;
    }

    /** It, with what is below, is not where it was. */
    void detach(WatchedDirectory directory, long now) {
        unlink(directory);
        adrift.put(directory, now);
        version++;
    }

    boolean hasAdrift() {
        return !adrift.isEmpty();
    }

    /** Those that have been adrift since then or longer. */
    List<WatchedDirectory> adriftSince(long then) {
        List<WatchedDirectory> old = new ArrayList<>();
        for (Map.Entry<WatchedDirectory, Long> entry : adrift.entrySet()) {
            if (entry.getValue() - then > 0) {
                break;
            }
            old.add(entry.getKey());
        }
        return old;
    }

    /** Forgets a directory and all below; gives the numbers of their watches. */
    List<Integer> remove(WatchedDirectory directory) {
        unlink(directory);
        adrift.remove(directory);
        if (root == directory) {
            root = null;
        }
        List<Integer> watches = new ArrayList<>();
        ArrayDeque<WatchedDirectory> left = new ArrayDeque<>(List.of(directory));
        while (!left.isEmpty()) {
            WatchedDirectory next = left.pop();
            left.addAll(next.children.values());
            next.children.clear();
            next.parent = null;
            byWatch.remove(next.watch);
            watches.add(next.watch);
        }
        version++;
        return watches;
    }

    /** Forgets those that the walk has not come to. */
    List<Integer> removeUnseen(int walk) {
        List<WatchedDirectory> unseen = new ArrayList<>();
        for (Iterator<WatchedDirectory> all = byWatch.values().iterator(); all.hasNext();) {
            WatchedDirectory directory = all.next();
            if (directory.walk != walk) {
                unseen.add(directory);
            }
        }
        List<Integer> watches = new ArrayList<>();
        for (WatchedDirectory directory : unseen) {
            // Those below were not seen either, or have been put elsewhere.
            if (byWatch.get(directory.watch) == directory) {
                watches.addAll(remove(directory));
            }
        }
        return watches;
    }

    private void unlink(WatchedDirectory directory) {
        if (directory.parent != null && directory.name != null) {
            directory.parent.children.remove(directory.name, directory);
        }
        directory.parent = null;
        directory.name = null;
    }
}
