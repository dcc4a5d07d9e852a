package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a tree, drawn from facts: what a consumer has to do with them, in its simplest form, in memory. It looks again
 * at once where it is told to. {@link #differences} holds it against the real tree.
 * <p>
 * A file with several names is one file: what is seen under one of them holds for all, and when one goes the others are
 * looked at, as the kernel tells nobody that their count has changed. Safe for use by many threads: one at a time.
 */
public final class Mirror implements Consumer<Fact>, AutoCloseable {
    private final FileCalls calls;
    private final BootClock clock;
    private final BytePath root;
    private final Lister lister;
    private final Node top = new Node(null, null);
    private final Map<FileId, Set<Node>> files = new HashMap<>();
    private final Set<Node> suspects = new LinkedHashSet<>();
    private long rescans;

    private record FileId(long device, long inode) {}

    private static final class Node {
        final @Nullable Node parent;
        final @Nullable Name name;
        final TreeMap<Name, Node> children = new TreeMap<>();
        @Nullable
        Entry entry;

        Node(@Nullable Node parent, @Nullable Name name) {
            this.parent = parent;
            this.name = name;
        }
    }

    public Mirror(FileCalls calls, BootClock clock, BytePath root) {
        this.calls = calls;
        this.clock = clock;
        this.root = root;
        this.lister = new Lister(calls, clock);
    }

    @Override
    public synchronized void accept(Fact fact) {
        switch (fact) {
            case Fact.Present present -> put(present.path(), present.entry());
            case Fact.Absent absent -> remove(absent.path());
            case Fact.Listed listed -> put(listed.listing());
            case Fact.Rescan rescan -> {
                rescans++;
                walk(rescan.path());
            }
        }
        lookAtSuspects();
    }

    public synchronized long rescans() {
        return rescans;
    }

    public synchronized long size() {
        return count(top);
    }

    /**
     * Looks at all files with several names: what was done through a name that came and went between two looks left no trace.
     */
    public synchronized void settle() {
        files.values().forEach(names -> names.stream()
                .filter(node -> node.entry != null && node.entry.links() > 1).forEach(suspects::add));
        lookAtSuspects();
    }

    /** Where picture and tree differ now, in words; at most so many. */
    public synchronized List<String> differences(int most) {
        List<String> differences = new ArrayList<>();
        try (Mirror real = new Mirror(calls, clock, root)) {
            real.walk(root);
            compare(top, real.top, root, differences, most);
        }
        return differences;
    }

    @Override
    public void close() {
        lister.close();
    }

    // ---- putting

    private void put(BytePath path, Entry entry) {
        if (path.equals(root)) {
            return;
        }
        Node parent = path.parent().map(above -> find(above, true)).orElse(null);
        if (parent != null) {
            put(parent.children.computeIfAbsent(entry.name(), name -> new Node(parent, name)), entry);
        }
    }

    private void put(Node node, Entry entry) {
        Entry before = node.entry;
        if (before != null && (before.inode() != entry.inode() || before.type() != entry.type())) {
            forget(node);
            clear(node);
        }
        node.entry = entry;
        if (entry.type() == FileType.FILE && entry.isKnown()) {
            Set<Node> names = files.computeIfAbsent(id(entry), _ -> new LinkedHashSet<>());
            names.add(node);
            for (Node other : names) {
                if (other != node && other.name != null) {
                    other.entry = new Entry(other.name, entry.type(), Errno.NONE, entry.inode(), entry.device(),
                            entry.links(), entry.size(), entry.mtime(), entry.ctime());
                }
            }
        }
    }

    private void put(Listing listing) {
        Node node = find(listing.directory(), true);
        if (node == null) {
            return;
        }
        if (node.name != null) {
            // Another directory may have come to this path since its parent was looked at.
            put(node, Looks.entry(node.name, listing.self()));
        }
        Set<Name> seen = new HashSet<>();
        for (Entry entry : listing.entries()) {
            seen.add(entry.name());
            put(node.children.computeIfAbsent(entry.name(), name -> new Node(node, name)), entry);
        }
        if (listing.isComplete()) {
            List.copyOf(node.children.values()).stream().filter(child -> !seen.contains(child.name))
                    .forEach(this::remove);
        }
    }

    // ---- removing

    private void remove(BytePath path) {
        Node node = find(path, false);
        if (node == top) {
            clear(top);
        } else if (node != null) {
            remove(node);
        }
    }

    private void remove(Node node) {
        forget(node);
        clear(node);
        if (node.parent != null && node.name != null) {
            node.parent.children.remove(node.name);
        }
    }

    private void clear(Node node) {
        for (Node child : node.children.values()) {
            forget(child);
            clear(child);
        }
        node.children.clear();
    }

    private void forget(Node node) {
        Entry entry = node.entry;
        suspects.remove(node);
        if (entry != null && entry.type() == FileType.FILE) {
            Set<Node> names = files.get(id(entry));
            if (names != null) {
                names.remove(node);
                suspects.addAll(names);
                if (names.isEmpty()) {
                    files.remove(id(entry));
                }
            }
        }
    }

    // ---- looking

    private void lookAtSuspects() {
        while (!suspects.isEmpty()) {
            Node node = suspects.iterator().next();
            suspects.remove(node);
            BytePath path = path(node);
            if (path != null) {
                look(path);
            }
        }
    }

    private void look(BytePath path) {
        BytePath above = path.parent().orElseThrow();
        Name name = path.name().orElseThrow();
        try (Directory directory = calls.openDirectory(above)) {
            Stat stat = directory.stat(name, Freshness.CACHED);
            put(path, Looks.entry(name, stat));
        } catch (PosixException e) {
            if (Looks.isGone(e)) {
                remove(path);
            }
        }
    }

    private void walk(BytePath from) {
        if (!from.equals(root)) {
            look(from);
        }
        ArrayDeque<BytePath> left = new ArrayDeque<>(List.of(from));
        Stat rootStat = null;
        while (!left.isEmpty()) {
            BytePath path = left.pop();
            try (Directory directory = calls.openDirectory(path)) {
                Stat self = directory.stat();
                if (rootStat == null) {
                    rootStat = self;
                } else if (!self.mountId().equals(rootStat.mountId()) || self.device() != rootStat.device()) {
                    continue;
                }
                Listing listing = lister.list(directory, path, Freshness.CACHED);
                put(listing);
                for (int i = 0; i < listing.size(); i++) {
                    if (listing.type(i) == FileType.DIRECTORY) {
                        left.push(path.resolve(listing.name(i)));
                    }
                }
            } catch (PosixException e) {
                Node node = find(path, false);
                if (Looks.isGone(e) && node != null) {
                    clear(node);
                }
            }
        }
    }

    // ---- comparing

    private static void compare(Node picture, Node real, BytePath path, List<String> differences, int most) {
        Set<Name> names = new LinkedHashSet<>(picture.children.keySet());
        names.addAll(real.children.keySet());
        for (Name name : names) {
            if (differences.size() >= most) {
                return;
            }
            Node mine = picture.children.get(name);
            Node theirs = real.children.get(name);
            BytePath child = path.resolve(name);
            String here = mine == null ? "absent" : describe(mine.entry);
            String there = theirs == null ? "absent" : describe(theirs.entry);
            if (!here.equals(there)) {
                differences.add(child + ": pictured " + here + ", really " + there);
            }
            if (mine != null && theirs != null) {
                compare(mine, theirs, child, differences, most);
            }
        }
    }

    private static String describe(@Nullable Entry entry) {
        if (entry == null) {
            return "unknown";
        }
        return entry.type() == FileType.DIRECTORY
                ? "directory " + entry.inode()
                : entry.type() + " " + entry.inode() + " links " + entry.links() + " size " + entry.size() + " mtime "
                        + entry.mtime();
    }

    // ---- finding

    private @Nullable Node find(BytePath path, boolean make) {
        if (!path.startsWith(root)) {
            return null;
        }
        Node node = top;
        for (Name name : root.relativize(path).names()) {
            Node parent = node;
            node = make
                    ? parent.children.computeIfAbsent(name, _ -> new Node(parent, name))
                    : parent.children.get(name);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private @Nullable BytePath path(Node node) {
        if (node == top) {
            return root;
        }
        if (node.parent == null || node.name == null || node.parent.children.get(node.name) != node) {
            return null;
        }
        BytePath above = path(node.parent);
        return above == null ? null : above.resolve(node.name);
    }

    private static long count(Node node) {
        long count = 0;
        for (Node child : node.children.values()) {
            count += 1 + count(child);
        }
        return count;
    }

    private static FileId id(Entry entry) {
        return new FileId(entry.device(), entry.inode());
    }
}
