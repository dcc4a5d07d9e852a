package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Fact.Reason;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the tree for an {@link Interpreter}, and watches and lists each directory, in that order; those high up first,
 * so that the limit leaves out the deepest. Also sees to it that the root is the one it was. For one thread.
 */
final class WatchingWalk implements AutoCloseable {
    private static final long ADRIFT_NANOS = 100_000_000;

    private final FileCalls calls;
    private final BootClock clock;
    private final BytePath rootPath;
    private final RootMount mount;
    private final Freshness freshness;
    private final boolean wholeTree;
    private final WatchMap map;
    private final Watches watches;
    private final Consumer<Fact> delivery;
    private final Lister lister;
    private final ArrayDeque<Step> way = new ArrayDeque<>();
    private final LongAdder refused = new LongAdder();
    private OptionalLong rootMountId = OptionalLong.empty();
    private long rootDevice;
    private boolean rootTold;
    private boolean lossTold;
    /** The last one of which it was said that it is not watched. */
    private @Nullable BytePath told;
    private int walk;
    private volatile boolean rootWatched;

    /**
     * A directory that is to be entered.
     *
     * @param all  with everything below; else only what was watched before
     * @param tell say so if it cannot be
     */
    private record Step(WatchedDirectory parent, Name name, boolean all, boolean tell) {}

    WatchingWalk(FileCalls calls, BootClock clock, BytePath rootPath, RootMount mount, boolean wholeTree, WatchMap map,
            Watches watches, Consumer<Fact> delivery) {
        this.calls = calls;
        this.clock = clock;
        this.rootPath = rootPath;
        this.mount = mount;
        this.freshness = mount.freshness();
        this.wholeTree = wholeTree;
        this.map = map;
        this.watches = watches;
        this.delivery = delivery;
        this.lister = new Lister(calls, clock);
    }

    /** Directories that were not watched for want of watches since the last walk over everything. */
    long refused() {
        return refused.sum();
    }

    boolean rootWatched() {
        return rootWatched;
    }

    /** Watches and lists the tree; what was watched and is not there any more is forgotten. */
    void all() {
        walk++;
        refused.reset();
        watches.tryAgain();
        if (enterRoot()) {
            on();
        }
        watches.end(map.removeUnseen(walk));
    }

    /** Those that were moved away and have not turned up are not watched any more. */
    void endAdrift() {
        if (map.hasAdrift()) {
            for (WatchedDirectory directory : map.adriftSince(clock.nanos() - ADRIFT_NANOS)) {
                watches.end(map.remove(directory));
            }
        }
    }

    // ---- the root

    /** Whether it is still what it was; if not, that is told, and what is there now is walked if it is the same storage. */
    boolean checkRoot() {
        boolean kept = keepsRoot();
        if (!kept) {
            comeBack();
        }
        return kept;
    }

    /** Whether it is still what it was; if not it is left, so that all of it is walked when it is back. */
    private boolean keepsRoot() {
        WatchedDirectory root = map.root().orElse(null);
        if (root == null) {
            return false;
        }
        try (Directory directory = calls.openDirectory(rootPath)) {
            if (root.is(directory.stat())) {
                return true;
            }
        } catch (PosixException e) {
            // Told below.
        }
        leaveRoot(Reason.WATCH_LOST);
        return false;
    }

    void leaveRoot(Reason reason) {
        map.root().ifPresent(root -> watches.end(map.remove(root)));
        rootWatched = false;
        rootTold = false;
        lossTold = true;
        delivery.accept(new Fact.Rescan(rootPath, reason));
    }

    /** Something else that is mounted there, or nothing at all, is not our tree with everything deleted. */
    private void comeBack() {
        if (mount.isThere()) {
            all();
        }
    }

    private void unmounted() {
        if (map.root().isPresent() || !lossTold) {
            leaveRoot(Reason.WATCH_LOST);
        }
    }

    private boolean enterRoot() {
        long begin = clock.nanos();
        try (Directory directory = calls.openDirectory(rootPath)) {
            Stat self = directory.stat();
            if (!mount.holds(self)) {
                unmounted();
                return false;
            }
            rootMountId = self.mountId();
            rootDevice = self.device();
            int watch = watches.add(directory);
            if (watch == Watches.REFUSED) {
                refused.increment();
                rootWatched = false;
                if (!rootTold) {
                    rootTold = true;
                    delivery.accept(new Fact.Rescan(rootPath, Reason.UNWATCHED));
                }
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
            Listing listing = lister.list(directory, rootPath, freshness);
            if (!mount.holds(self)) {
                unmounted();
                return false;
            }
            rootTold = false;
            lossTold = false;
            tell(root, listing, wholeTree, wholeTree);
            return true;
        } catch (PosixException e) {
            rootWatched = false;
            if (!mount.isThere()) {
                unmounted();
            } else if (!rootTold) {
                rootTold = true;
                delivery.accept(Looks.isGone(e)
                        ? new Fact.Absent(rootPath, new Interval(begin, clock.nanos()), Cause.DELETED)
                        : new Fact.Rescan(rootPath, Reason.UNREADABLE));
            }
            return false;
        }
    }

    // ---- from directory to directory

    /** Remembers a directory that came or was moved, to be walked with all below. */
    void follow(WatchedDirectory parent, Name name, boolean tell) {
        way.add(new Step(parent, name, true, tell));
    }

    /** Walks whatever is to be walked. */
    void on() {
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
                tell(found, lister.list(directory, path, freshness), step.all, step.tell);
            } else {
                unwatched(path, Reason.OUTRUN);
            }
        } catch (PosixException e) {
            if (Looks.isGone(e)) {
                // What has gone, or has become something else, has an event for it; unless all of the root has.
                keepsRoot();
            } else if (step.tell) {
                unwatched(path, Reason.UNREADABLE);
            }
        }
    }

    private void refuse(BytePath path, Step step) {
        refused.increment();
        if (step.tell) {
            unwatched(path, Reason.UNWATCHED);
        }
    }

    private void unwatched(BytePath path, Reason reason) {
        told = path;
        delivery.accept(new Fact.Rescan(path, reason));
    }

    private void tell(WatchedDirectory directory, Listing listing, boolean all, boolean tell) {
        directory.walk = walk;
        delivery.accept(new Fact.Listed(listing));
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
            delivery.accept(new Fact.Rescan(listing.directory(), Reason.UNREADABLE));
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

    /** Watches one more directory, and lists it. Its parent is watched, or it is left; that is told. */
    void watch(BytePath path) {
        told = null;
        WatchedDirectory parent = path.parent().flatMap(map::at).orElse(null);
        Name name = path.name().orElse(null);
        if (parent != null && name != null && map.at(path).isEmpty()) {
            way.add(new Step(parent, name, false, true));
            on();
        }
        if (path.startsWith(rootPath) && map.at(path).isEmpty() && !Objects.equals(told, path)) {
            unwatched(path, Reason.UNWATCHED);
        }
    }

    /** Watches a directory, and what is below, no more. */
    void unwatch(BytePath path) {
        map.at(path).filter(directory -> directory.parent != null).ifPresent(directory -> {
            watches.end(map.remove(directory));
            delivery.accept(new Fact.Rescan(path, Reason.UNWATCHED));
        });
    }

    private boolean isSameMount(Stat stat) {
        return stat.device() == rootDevice && (stat.mountId().isEmpty() || stat.mountId().equals(rootMountId));
    }

    @Override
    public void close() {
        lister.close();
    }
}
