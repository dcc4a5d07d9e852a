package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Fact.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what changes under a directory by listing it again and again: the same facts as a {@link Watcher}'s, later, where there
 * is no notification. Changes that leave no trace between two rounds are not seen. Remembers the last listing of each directory,
 * of a limited number of them. Storage that is not mounted any more is a {@link Fact.Rescan}, once, and not an empty tree; when
 * it is mounted again the rounds go on.
 * <p>
 * One platform thread, which blocks while the storage or the consumer does. Safe for use by many threads.
 */
public final class Polling implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final FileCalls calls;
    private final BootClock clock;
    private final BytePath root;
    private final RootMount mount;
    private final Freshness freshness;
    private final Settings settings;
    private final Consumer<? super Fact> consumer;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Map<BytePath, Listing> last = new HashMap<>();
    private boolean rootThere = true;
    private boolean mountThere = true;
    // Below: under the lock.
    private long asked;
    private long done;
    private boolean closed;
    private int directories;
    private @Nullable Throwable failure;

    /** @param anew whether what was known of it belonged to another directory, or to none */
    private record Step(BytePath path, boolean anew) {}

    /**
     * @param interval between the end of a round and the beginning of the next. Too short, and the storage does nothing else;
     *                 too long, and changes are told late
     * @param limit    directories at most; the rest is left to scans, with a {@link Fact.Rescan} that says so
     */
    public record Settings(Duration interval, int limit) {
        public Settings {
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("an interval of " + interval + " leaves no time for anything else");
            }
            if (limit < 1) {
                throw new IllegalArgumentException("at least one directory is polled, not " + limit);
            }
        }
    }

    private Polling(FileCalls calls, BootClock clock, BytePath root, RootMount mount, Settings settings,
            Consumer<? super Fact> consumer) {
        this.calls = calls;
        this.clock = clock;
        this.root = root;
        this.mount = mount;
        this.freshness = mount.freshness();
        this.settings = settings;
        this.consumer = consumer;
        this.thread = Thread.ofPlatform().daemon().name("poll " + root).unstarted(this::run);
    }

    /** Begins with a round at once. A consumer that throws ends it: see {@link #failure}. */
    public static Polling open(FileCalls calls, BootClock clock, BytePath root, Settings settings,
            Consumer<? super Fact> consumer) throws IOException {
        Polling polling = new Polling(calls, clock, root, RootMount.of(calls, root), settings, consumer);
        polling.thread.start();
        return polling;
    }

    /** Has a round made now, and waits for its end. */
    public void poll() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // A round that runs already may have been past the place.
            long mine = ++asked;
            changed.signalAll();
            while (done < mine && !closed) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many directories the last round listed. */
    public int directories() {
        lock.lock();
        try {
            return directories;
        } finally {
            lock.unlock();
        }
    }

    public Optional<Throwable> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try (Lister lister = new Lister(calls, clock)) {
            for (long serving = begin(); serving >= 0; serving = begin()) {
                round(lister);
                if (!end(serving)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            finish(null);
        } catch (RuntimeException | Error e) {
            finish(e);
        }
    }

    private long begin() {
        lock.lock();
        try {
            return closed ? -1 : asked;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next round; false if there is none. */
    private boolean end(long serving) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            done = serving;
            directories = last.size();
            changed.signalAll();
            long left = settings.interval.toNanos();
            while (!closed && asked == serving && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void finish(@Nullable Throwable why) {
        lock.lock();
        try {
            if (!closed) {
                failure = why;
            }
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void round(Lister lister) throws InterruptedException {
        Map<BytePath, Listing> next = new HashMap<>();
        ArrayDeque<Step> left = new ArrayDeque<>(List.of(new Step(root, false)));
        long device = 0;
        for (Step step = left.poll(); step != null; step = left.poll()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            BytePath path = step.path;
            Listing before = step.anew ? null : last.get(path);
            if (next.size() >= settings.limit) {
                if (before != null || isNew(path)) {
                    consumer.accept(new Fact.Rescan(path, Reason.UNWATCHED));
                }
                continue;
            }
            long begin = clock.nanos();
            try {
                Listing listing = lister.list(path, freshness);
                if (path.equals(root)) {
                    if (!mount.holds(listing.self())) {
                        unmounted();
                        return;
                    }
                    mountThere = true;
                    device = listing.self().device();
                    rootThere = true;
                } else if (listing.self().device() != device) {
                    continue;
                }
                boolean anew = before == null || before.self().inode() != listing.self().inode();
                tell(anew ? null : before, listing);
                next.put(path, listing);
                for (int i = 0; i < listing.size(); i++) {
                    if (listing.type(i) == FileType.DIRECTORY) {
                        left.add(new Step(path.resolve(listing.name(i)), anew));
                    }
                }
            } catch (PosixException e) {
                if (path.equals(root) && !mount.isThere()) {
                    unmounted();
                    return;
                }
                unreadable(path, before, e, begin);
            }
        }
        last = next;
    }

    /** What was known stays, for when it is mounted again. */
    private void unmounted() {
        if (mountThere) {
            mountThere = false;
            consumer.accept(new Fact.Rescan(root, Reason.WATCH_LOST));
        }
    }

    /** Whether the directory was not there in the last round, so that nobody has been told of it. */
    private boolean isNew(BytePath path) {
        Listing above = path.parent().map(last::get).orElse(null);
        return above == null || above.entries().stream().noneMatch(entry -> path.name().filter(entry.name()::equals)
                .isPresent());
    }

    private void unreadable(BytePath path, @Nullable Listing before, PosixException e, long begin) {
        boolean gone = Looks.isGone(e);
        if (path.equals(root)) {
            mountThere = true;
            if (rootThere) {
                rootThere = false;
                consumer.accept(gone
                        ? new Fact.Absent(root, new Interval(begin, clock.nanos()), Cause.DELETED)
                        : new Fact.Rescan(root, Reason.UNREADABLE));
            }
        } else if (!gone && (before != null || isNew(path))) {
            consumer.accept(new Fact.Rescan(path, Reason.UNREADABLE));
        }
    }

    private void tell(@Nullable Listing before, Listing now) {
        if (before == null || !before.isComplete() || !now.isComplete()) {
            consumer.accept(new Fact.Listed(now));
            return;
        }
        Map<Name, Entry> missing = new HashMap<>();
        before.entries().forEach(entry -> missing.put(entry.name(), entry));
        for (Entry entry : now.entries()) {
            Entry old = missing.remove(entry.name());
            if (!entry.equals(old)) {
                BytePath path = now.directory().resolve(entry.name());
                consumer.accept(new Fact.Present(path, entry, now.seen(), cause(old, entry)));
            }
        }
        missing.keySet().forEach(
                name -> consumer.accept(new Fact.Absent(now.directory().resolve(name), now.seen(), Cause.DELETED)));
    }

    private static Cause cause(@Nullable Entry old, Entry now) {
        return old != null && old.inode() == now.inode() && old.size() == now.size() && old.mtime() == now.mtime()
                ? Cause.ATTRIBUTES
                : Cause.FOUND_CHANGED;
    }

    @Override
    public void close() {
        finish(null);
        thread.interrupt();
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
