package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Fact.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
 * <li>the parent of a watched directory is watched, up to the root, so there is an event for each change of a path;</li>
 * <li>where the root itself goes, no event tells. It is looked up now and then, and whenever a path does not lead to the
 * directory that is watched: if the root is not at its path, nothing is said of what is below. It is left, and when it is
 * back all of it is walked;</li>
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
    private static final int HERE = Inotify.CREATE | Inotify.MOVED_TO;
    private static final int AWAY = Inotify.DELETE | Inotify.MOVED_FROM;

    private final FileCalls calls;
    private final BootClock clock;
    private final BytePath rootPath;
    private final Freshness freshness;
    private final Predicate<Name> ignored;
    private final WatchMap map;
    private final Watches watches;
    private final Consumer<? super Fact> consumer;
    private final WatchingWalk walk;
    private final Map<WatchedDirectory, Map<Name, Cause>> asked = new LinkedHashMap<>();
    private final LongAdder facts = new LongAdder();
    private final LongAdder events = new LongAdder();

    Interpreter(FileCalls calls, BootClock clock, BytePath rootPath, RootMount mount, Watcher.Settings settings,
            WatchMap map, Watches watches, Consumer<? super Fact> consumer) {
        this.calls = calls;
        this.clock = clock;
        this.rootPath = rootPath;
        this.freshness = mount.freshness();
        this.ignored = settings.ignored();
        this.map = map;
        this.watches = watches;
        this.consumer = consumer;
        this.walk = new WatchingWalk(calls, clock, rootPath, mount, settings.wholeTree(), map, watches, this::emit);
    }

    WatchingWalk walk() {
        return walk;
    }

    long facts() {
        return facts.sum();
    }

    long events() {
        return events.sum();
    }

    /** Events were dropped, and with them the certainty about everything. */
    void walkAfterLoss() {
        emit(new Fact.Rescan(rootPath, Reason.OVERFLOW));
        asked.clear();
        walk.all();
    }

    /** When nothing else is to be done: ends what was adrift, and sees whether the root is still what it was. */
    void rest() {
        walk.endAdrift();
        walk.checkRoot();
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
                } else if (!ignored.test(name)) {
                    asked.computeIfAbsent(directory, _ -> new LinkedHashMap<>())
                            .merge(name, Causes.of(batch.mask()), Causes::merged);
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
            walk.checkRoot();
        } else if ((mask & Inotify.DELETE_SELF) != 0) {
            watches.end(map.remove(directory));
        } else if ((mask & (Inotify.UNMOUNT | Inotify.IGNORED)) != 0) {
            BytePath path = map.path(directory);
            if (isRoot) {
                walk.leaveRoot(Reason.WATCH_LOST);
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
        lookInto(parent, path, List.of(name),
                (directory, begin) -> look(parent, path, directory, name, Causes.of(mask), begin,
                        (mask & Inotify.MOVED_TO) != 0, (mask & (HERE | AWAY)) != 0));
    }

    private void lookAtAsked() {
        for (Map.Entry<WatchedDirectory, Map<Name, Cause>> entry : asked.entrySet()) {
            WatchedDirectory parent = entry.getKey();
            BytePath path = map.path(parent);
            if (path != null) {
                lookInto(parent, path, entry.getValue().keySet(),
                        (directory, begin) -> entry.getValue().forEach(
                                (name, cause) -> look(parent, path, directory, name, cause, begin, false, true)));
            }
        }
        asked.clear();
    }

    /** Looks at entries of a directory that is open since then. */
    @FunctionalInterface
    private interface Look {
        void at(Directory directory, long begin);
    }

    /** Opens by its path what is at the place of a watched directory, and looks at what is in it if that is in our tree. */
    private void lookInto(WatchedDirectory watched, BytePath path, Iterable<Name> names, Look look) {
        lookInto(watched, path, names, look, true);
        walk.on();
    }

    /** @param doubtful the tree may have been away for a moment if something is gone, and is back: then another try says */
    private void lookInto(WatchedDirectory watched, BytePath path, Iterable<Name> names, Look look, boolean doubtful) {
        long begin = clock.nanos();
        try (Directory directory = calls.openDirectory(path)) {
            if (watched.is(directory.stat()) || walk.checkRoot()) {
                look.at(directory, begin);
            }
        } catch (PosixException e) {
            if (!Looks.isGone(e)) {
                unreachable(path, names, e, begin);
            } else if (walk.checkRoot()) {
                if (doubtful) {
                    lookInto(watched, path, names, look, false);
                } else {
                    unreachable(path, names, e, begin);
                }
            }
        }
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
        Optional<Stat> found;
        try {
            found = directory.find(name, freshness);
        } catch (PosixException e) {
            emit(new Fact.Rescan(entryPath, Reason.UNREADABLE));
            return;
        }
        if (found.isEmpty()) {
            drift(child);
            emit(new Fact.Absent(entryPath, new Interval(begin, clock.nanos()), Causes.away(cause)));
            return;
        }
        Stat stat = found.get();
        if (child == null && stat.type() == FileType.DIRECTORY && Causes.here(cause) != cause) {
            // Another one has come in its place, and nothing that was below is below this one.
            emit(new Fact.Absent(entryPath, new Interval(begin, begin), cause));
        }
        emit(new Fact.Present(entryPath, Looks.entry(name, stat), new Interval(begin, clock.nanos()),
                Causes.here(cause)));
        if (stat.type() != FileType.DIRECTORY) {
            drift(child);
        } else if (child == null || again) {
            walk.follow(parent, name, tell);
        }
    }

    private void drift(@Nullable WatchedDirectory child) {
        if (child != null) {
            map.detach(child, clock.nanos());
        }
    }

    /** A directory that cannot be opened by its path: if it has gone, so have its entries. */
    private void unreachable(BytePath path, Iterable<Name> names, PosixException e, long begin) {
        if (Looks.isGone(e)) {
            Interval seen = new Interval(begin, clock.nanos());
            names.forEach(name -> emit(new Fact.Absent(path.resolve(name), seen, Cause.DELETED)));
        } else {
            emit(new Fact.Rescan(path, Reason.UNREADABLE));
        }
    }

    private void emit(Fact fact) {
        facts.increment();
        consumer.accept(fact);
    }

    @Override
    public void close() {
        walk.close();
    }
}
