package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Fact.Reason;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes facts of events.
 * <p>
 * <b>An event is only a reason to look.</b> It says that something happened to a name in a directory; what is there is looked
 * up when the event is interpreted, by path. So every fact is true of its path at the time it bears, whatever else has
 * happened by then, and the facts come in the order of their times. After the last change of an entry comes an event, and
 * after that a look: so when the tree is quiet the last fact about each path is what is there.
 * <p>
 * For that the map from watches to paths need not be right at every moment. When a directory has moved and its event has not
 * been interpreted yet, looks go to its old path and give facts that are true of that path; then comes the event of the
 * move, and with it everything under the new path is listed again. INVARIANT: whatever is wrong in the map, an event that
 * mends it is still to come. It holds because
 * <ul>
 * <li>the parent of a watched directory is watched, up to the root, so there is an event for each change of a path (where the
 * root itself goes is looked up now and then);</li>
 * <li>a directory is watched first and listed afterwards: what the listing missed is in an event;</li>
 * <li>a directory that a watch proves to be elsewhere (the kernel gives the same number again) is put there with all below,
 * and is listed again with all below;</li>
 * <li>what has been dropped, by the kernel or by us, leads to a walk over everything, watching and listing.</li>
 * </ul>
 * A directory that was moved away is adrift for a moment, as the other half of the move may follow; then its watches end.
 * Pairs of moves are not needed for any of this.
 * <p>
 * Events about one name of a file within one batch are one look. For one thread.
 */
final class Interpreter implements AutoCloseable {
    private static final long ADRIFT_NANOS = 100_000_000;
    private static final int HERE = Inotify.CREATE | Inotify.MOVED_TO;
    private static final int AWAY = Inotify.DELETE | Inotify.MOVED_FROM;

    private final FileCalls calls;
    private final BootClock clock;
    private final BytePath rootPath;
    private final Mount mount;
    private final Freshness freshness;
    private final boolean wholeTree;
    private final Consumer<? super Fact> consumer;
    private final WatchMap map;
    private final Watches watches;
    private final Lister lister;
    private final Map<WatchedDirectory, Map<Name, Cause>> asked = new LinkedHashMap<>();
    private final ArrayDeque<Step> way = new ArrayDeque<>();
    private OptionalLong rootMountId = OptionalLong.empty();
    private long rootDevice;
    private boolean rootTold;
    private int walk;
    private final LongAdder facts = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean rootWatched;

    /**
     * A directory that is to be entered.
     *
     * @param all  with everything below; else only what was watched before
     * @param tell say so if it cannot be
     */
    private record Step(WatchedDirectory parent, Name name, boolean all, boolean tell) {}

    Interpreter(FileCalls calls, BootClock clock, BytePath rootPath, Mount mount, boolean wholeTree, WatchMap map,
            Watches watches, Consumer<? super Fact> consumer) {
        this.calls = calls;
        this.clock = clock;
        this.rootPath = rootPath;
        this.mount = mount;
        this.freshness = mount.isRemote() ? Freshness.UNCACHED : Freshness.CACHED;
        this.wholeTree = wholeTree;
        this.map = map;
        this.watches = watches;
        this.consumer = consumer;
        this.lister = new Lister(calls, clock);
    }

    long facts() {
        return facts.sum();
    }

    long events() {
        return events.sum();
    }

    /** Directories that were not watched for want of watches since the last walk over everything. */
    long refused() {
        return refused.sum();
    }

    boolean rootWatched() {
        return rootWatched;
    }

    // ---- the whole tree

    /** Watches and lists the tree; what was watched and is not there any more is forgotten. */
    void walkAll() {
        walk++;
        asked.clear();
        refused.reset();
        if (enterRoot()) {
            walkOn();
        }
        watches.end(map.removeUnseen(walk));
    }

    /** Events were dropped, and with them the certainty about everything. */
    void walkAfterLoss() {
        emit(new Fact.Rescan(rootPath, Reason.OVERFLOW));
        walkAll();
    }

    /** When nothing else is to be done: ends what was adrift, and sees whether the root is still what it was. */
    void rest() {
        endAdrift();
        checkRoot();
    }

    void endAdrift() {
        if (map.hasAdrift()) {
            for (WatchedDirectory directory : map.adriftSince(clock.nanos() - ADRIFT_NANOS)) {
                watches.end(map.remove(directory));
            }
        }
    }

    private void checkRoot() {
        WatchedDirectory root = map.root().orElse(null);
        if (root == null) {
            comeBack();
            return;
        }
        try (Directory directory = calls.openDirectory(rootPath)) {
            if (root.is(directory.stat())) {
                return;
            }
        } catch (PosixException e) {
            // Told below.
        }
        leaveRoot(Reason.WATCH_LOST);
        comeBack();
    }

    private void leaveRoot(Reason reason) {
        map.root().ifPresent(root -> watches.end(map.remove(root)));
        rootWatched = false;
        rootTold = false;
        emit(new Fact.Rescan(rootPath, reason));
    }

    /** Something else that is mounted there, or nothing at all, is not our tree with everything deleted. */
    private void comeBack() {
        try {
            Mount now = calls.mountOf(rootPath);
            if (now.point().equals(mount.point()) && now.type().equals(mount.type())
                    && now.source().equals(mount.source())) {
                walkAll();
            }
        } catch (IOException e) {
            if (!rootTold) {
                rootTold = true;
                emit(new Fact.Rescan(rootPath, Reason.UNREADABLE));
            }
        }
    }

    private boolean enterRoot() {
        long begin = clock.nanos();
        try (Directory directory = calls.openDirectory(rootPath)) {
            Stat self = directory.stat();
            rootMountId = self.mountId();
            rootDevice = self.device();
            int watch = watches.add(directory);
            if (watch == Watches.REFUSED) {
                refused.increment();
                emit(new Fact.Rescan(rootPath, Reason.UNWATCHED));
                return false;
            }
            WatchedDirectory known = map.get(watch);
            WatchedDirectory root = known == null ? new WatchedDirectory(watch, self) : known;
            WatchedDirectory before = map.root().orElse(null);
            if (before != null && before != root) {
                watches.end(map.remove(before));
                // The new root may have been below the old one.
                if (known != null && map.get(watch) == null) {
                    root = new WatchedDirectory(watches.add(directory), self);
                }
            }
            map.setRoot(root);
            rootWatched = true;
            rootTold = false;
            list(root, directory, rootPath, wholeTree, wholeTree);
            return true;
        } catch (PosixException e) {
            if (!rootTold) {
                rootTold = true;
                emit(isGone(e)
                        ? new Fact.Absent(rootPath, new Interval(begin, clock.nanos()), Cause.DELETED)
                        : new Fact.Rescan(rootPath, Reason.UNREADABLE));
            }
            return false;
        }
    }

    // ---- events

    /** @return false if events were lost after these */
    boolean interpret(InotifyEvents batch, Consumer<Integer> onIgnored) {
        long count = 0;
        boolean complete = true;
        while (batch.next()) {
            count++;
            if (batch.has(Inotify.Q_OVERFLOW)) {
                complete = false;
                break;
            }
            if (batch.has(Inotify.IGNORED)) {
                onIgnored.accept(batch.watch());
            }
            WatchedDirectory directory = map.get(batch.watch());
            if (directory != null) {
                Name name = batch.name().orElse(null);
                if (name == null) {
                    self(directory, batch.mask());
                } else if (batch.has(Inotify.ISDIR)) {
                    subdirectory(directory, name, batch.mask());
                } else {
                    asked.computeIfAbsent(directory, _ -> new LinkedHashMap<>())
                            .merge(name, cause(batch.mask()), Interpreter::merged);
                }
            }
        }
        events.add(count);
        if (complete) {
            lookAtAsked();
        }
        return complete;
    }

    /** Of the directory itself; its parent's watch has told the rest. */
    private void self(WatchedDirectory directory, int mask) {
        boolean isRoot = map.root().filter(root -> root == directory).isPresent();
        if (isRoot && (mask & (Inotify.DELETE_SELF | Inotify.MOVE_SELF)) != 0) {
            checkRoot();
        } else if ((mask & Inotify.DELETE_SELF) != 0) {
            watches.end(map.remove(directory));
        } else if ((mask & (Inotify.UNMOUNT | Inotify.IGNORED)) != 0) {
            BytePath path = map.path(directory);
            if (isRoot) {
                leaveRoot(Reason.WATCH_LOST);
            } else {
                watches.end(map.remove(directory));
                if (path != null) {
                    emit(new Fact.Rescan(path, Reason.WATCH_LOST));
                }
            }
        }
    }

    private void subdirectory(WatchedDirectory parent, Name name, int mask) {
        BytePath path = map.path(parent);
        if (path == null) {
            return;
        }
        if ((mask & AWAY) != 0) {
            drift(parent.children.get(name));
        }
        long begin = clock.nanos();
        try (Directory directory = calls.openDirectory(path)) {
            look(parent, path, directory, name, cause(mask), begin, (mask & Inotify.MOVED_TO) != 0,
                    (mask & (HERE | AWAY)) != 0);
        } catch (PosixException e) {
            unreachable(path, List.of(name), e, begin);
        }
        walkOn();
    }

    private void lookAtAsked() {
        for (Map.Entry<WatchedDirectory, Map<Name, Cause>> entry : asked.entrySet()) {
            BytePath path = map.path(entry.getKey());
            if (path == null) {
                continue;
            }
            long begin = clock.nanos();
            try (Directory directory = calls.openDirectory(path)) {
                entry.getValue()
                        .forEach((name, cause) -> look(entry.getKey(), path, directory, name, cause, begin, false,
                                true));
            } catch (PosixException e) {
                unreachable(path, entry.getValue().keySet(), e, begin);
            }
            walkOn();
        }
        asked.clear();
    }

    /**
     * Looks at one entry and says what is there.
     *
     * @param again list it again if it is a directory, although it is watched
     * @param tell  say so if it is a directory that cannot be watched
     */
    private void look(WatchedDirectory parent, BytePath path, Directory directory, Name name, Cause cause, long begin,
            boolean again, boolean tell) {
        BytePath entryPath = path.resolve(name);
        WatchedDirectory child = parent.children.get(name);
        try {
            Stat stat = directory.stat(name, freshness);
            if (child == null && stat.type() == FileType.DIRECTORY && here(cause) != cause) {
                // Another one has come in its place, and nothing that was below is below this one.
                emit(new Fact.Absent(entryPath, new Interval(begin, begin), cause));
            }
            emit(new Fact.Present(entryPath, entry(name, stat), new Interval(begin, clock.nanos()), here(cause)));
            if (stat.type() != FileType.DIRECTORY) {
                drift(child);
            } else if (child == null || again) {
                way.add(new Step(parent, name, true, tell));
            }
        } catch (PosixException e) {
            if (e.is(Errno.ENOENT)) {
                drift(child);
                emit(new Fact.Absent(entryPath, new Interval(begin, clock.nanos()), away(cause)));
            } else {
                emit(new Fact.Rescan(entryPath, Reason.UNREADABLE));
            }
        }
    }

    private void drift(@Nullable WatchedDirectory child) {
        if (child != null) {
            map.detach(child, clock.nanos());
        }
    }

    /** A directory that cannot be opened by its path: if it has gone, so have its entries. */
    private void unreachable(BytePath path, Iterable<Name> names, PosixException e, long begin) {
        if (isGone(e)) {
            Interval seen = new Interval(begin, clock.nanos());
            names.forEach(name -> emit(new Fact.Absent(path.resolve(name), seen, Cause.DELETED)));
        } else {
            emit(new Fact.Rescan(path, Reason.UNREADABLE));
        }
    }

    // ---- walking

    private void walkOn() {
        for (Step step = way.poll(); step != null; step = way.poll()) {
            enter(step);
        }
    }

    /** Watches a directory, then lists it, and leaves those below for later. */
    private void enter(Step step) {
        BytePath above = map.path(step.parent);
        if (above == null) {
            return; // It was moved away; where it comes to, all of it is walked again.
        }
        BytePath path = above.resolve(step.name);
        boolean known = step.parent.children.containsKey(step.name);
        if (!known && !watches.hasRoom()) {
            refuse(path, step);
            return;
        }
        try (Directory directory = calls.openDirectory(path)) {
            Stat self = directory.stat();
            if (!isSameMount(self)) {
                return;
            }
            int watch = watches.add(directory);
            if (watch == Watches.REFUSED) {
                refuse(path, step);
                return;
            }
            WatchedDirectory found = map.get(watch);
            if (found == null) {
                found = new WatchedDirectory(watch, self);
            } else if (map.root().orElse(null) == found) {
                return; // The root inside of itself: another name for it, which events cannot tell apart.
            }
            if (map.attach(found, step.parent, step.name, clock.nanos())) {
                list(found, directory, path, step.all, step.tell);
            } else {
                emit(new Fact.Rescan(path, Reason.OUTRUN));
            }
        } catch (PosixException e) {
            // What has gone, or has become something else, has an event for it.
            if (!isGone(e) && step.tell) {
                emit(new Fact.Rescan(path, Reason.UNREADABLE));
            }
        }
    }

    private void refuse(BytePath path, Step step) {
        refused.increment();
        if (step.tell) {
            emit(new Fact.Rescan(path, Reason.UNWATCHED));
        }
    }

    private void list(WatchedDirectory directory, Directory open, BytePath path, boolean all, boolean tell)
            throws PosixException {
        directory.walk = walk;
        Listing listing = lister.list(open, path, freshness);
        emit(new Fact.Listed(listing));
        Set<Name> below = new HashSet<>();
        for (int i = 0; i < listing.size(); i++) {
            if (listing.type(i) == FileType.DIRECTORY) {
                Name name = listing.name(i);
                if (all || directory.children.containsKey(name)) {
                    way.add(new Step(directory, name, all, tell));
                }
                below.add(name);
            }
        }
        if (!listing.isComplete()) {
            emit(new Fact.Rescan(path, Reason.UNREADABLE));
        } else if (!directory.children.isEmpty()) {
            long now = clock.nanos();
            for (WatchedDirectory child : List.copyOf(directory.children.values())) {
                if (child.name != null && !below.contains(child.name)) {
                    map.detach(child, now);
                }
            }
        }
    }

    // ---- being told what to watch

    /** Watches one more directory, and lists it. Its parent is watched, or it is left. */
    void watch(BytePath path) {
        WatchedDirectory parent = path.parent().flatMap(map::at).orElse(null);
        Name name = path.name().orElse(null);
        if (parent != null && name != null && map.at(path).isEmpty()) {
            way.add(new Step(parent, name, false, true));
            walkOn();
        }
    }

    /** Watches a directory, and what is below, no more. */
    void unwatch(BytePath path) {
        map.at(path).filter(directory -> directory.parent != null).ifPresent(directory -> {
            watches.end(map.remove(directory));
            emit(new Fact.Rescan(path, Reason.UNWATCHED));
        });
    }

    // ---- small things

    private void emit(Fact fact) {
        facts.increment();
        consumer.accept(fact);
    }

    private boolean isSameMount(Stat stat) {
        return stat.device() == rootDevice && (stat.mountId().isEmpty() || stat.mountId().equals(rootMountId));
    }

    private static boolean isGone(PosixException e) {
        return e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP);
    }

    private static Entry entry(Name name, Stat stat) {
        return new Entry(name, stat.type(), Errno.NONE, stat.inode(), stat.device(), stat.links(), stat.size(),
                stat.mtime(), stat.ctime());
    }

    private static Cause cause(int mask) {
        if ((mask & Inotify.CREATE) != 0) {
            return Cause.CREATED;
        }
        if ((mask & Inotify.MOVED_TO) != 0) {
            return Cause.MOVED_HERE;
        }
        if ((mask & Inotify.DELETE) != 0) {
            return Cause.DELETED;
        }
        if ((mask & Inotify.MOVED_FROM) != 0) {
            return Cause.MOVED_AWAY;
        }
        if ((mask & Inotify.CLOSE_WRITE) != 0) {
            return Cause.CLOSED;
        }
        return (mask & Inotify.MODIFY) != 0 ? Cause.MODIFIED : Cause.ATTRIBUTES;
    }

    /** The last one; but what is said about a new or closed file is not unsaid by a change of its attributes. */
    private static Cause merged(Cause before, Cause next) {
        return next == Cause.ATTRIBUTES ? before : next;
    }

    /** It is there although it was said to have gone: it came back, or another one did. */
    private static Cause here(Cause cause) {
        return cause == Cause.DELETED || cause == Cause.MOVED_AWAY ? Cause.CREATED : cause;
    }

    private static Cause away(Cause cause) {
        return cause == Cause.MOVED_AWAY ? cause : Cause.DELETED;
    }

    @Override
    public void close() {
        lister.close();
    }
}
