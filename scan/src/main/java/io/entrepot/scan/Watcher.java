package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.Name;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells what changes under a directory, as it changes, by inotify. The whole tree is listed first ({@link Fact.Listed}, each
 * directory); after that comes a fact for each change. Nothing is missed without a word: what could not be seen is a
 * {@link Fact.Rescan}. Whoever applies the facts in their order, and walks over what is to be looked at again, has the
 * tree as it is once the tree is quiet; see {@link Mirror}. How that comes about is said in {@code Interpreter}.
 * <p>
 * Never writes to what it watches. Does not follow symbolic links and does not cross mount points. Holds no directory open
 * while there are no events, so nothing is kept from being unmounted.
 * <p>
 * Two platform threads: one moves events from the kernel into a buffer, the other interprets them and calls the consumer. A
 * consumer that is slow fills the buffer and, in the end, gets a {@link Fact.Rescan} of everything. A consumer that throws
 * ends the watcher: see {@link Status#failure}. Safe for use by many threads.
 */
public final class Watcher implements AutoCloseable {
    private static final BytePath MARKER = BytePath.of("/dev/null");
    private static final long PATIENCE_MILLIS = 200;
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORT_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * Where changes come one by one but often, to be woken for each costs more than all the rest, on both sides. So after a little
     * there is a pause before more is read; what the kernel keeps meanwhile is far from all it can. In a burst there is none.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int FEW_BYTES = EventBuffer.LEAST_CHUNK / 2;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final BytePath root;
    private final Inotify inotify;
    private final EventBuffer buffer;
    private final WatchMap map;
    private final Watches watches;
    private final Interpreter interpreter;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<Integer, CountDownLatch> markers = new ConcurrentHashMap<>();
    private final Thread reading;
    private final Thread interpreting;
    private volatile int watched;
    private final LongAdder overflows = new LongAdder();
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    /**
     * @param wholeTree   all directories as far as the limit goes, those high up first; else the root, those that are
     *                    {@linkplain #watch named}, and what is made or moved there
     * @param limit       watches at most. Too low, and parts of the tree are left to scans; too high, and other programs of
     *                    the same user get none. Each takes about a kilobyte of the kernel's memory
     * @param bufferBytes for events that wait to be interpreted, 32 to 272 bytes each. Too small, and a burst ends in a
     *                    walk over everything; too large, and a slow consumer is told so later
     * @param ignored     names of files whose changes nobody wants to be told of, as of the watcher's own owner; listings have them
     */
    public record Settings(boolean wholeTree, int limit, int bufferBytes, Predicate<Name> ignored) {
        public Settings {
            if (limit < 1) {
                throw new IllegalArgumentException("a watcher needs one watch at least, not " + limit);
            }
            if (bufferBytes < 1) {
                throw new IllegalArgumentException("a buffer of " + bufferBytes + " bytes holds nothing");
            }
        }

        public static Settings ofWholeTree() {
            return new Settings(true, Integer.MAX_VALUE, 32 << 20, _ -> false);
        }

        public static Settings ofNamed() {
            return new Settings(false, Integer.MAX_VALUE, 32 << 20, _ -> false);
        }

        public Settings withLimit(int to) {
            return new Settings(wholeTree, to, bufferBytes, ignored);
        }

        public Settings withBuffer(int bytes) {
            return new Settings(wholeTree, limit, bytes, ignored);
        }

        public Settings withIgnored(Predicate<Name> names) {
            return new Settings(wholeTree, limit, bufferBytes, names);
        }
    }

    /**
     * How it stands.
     *
     * @param watched       directories
     * @param limit         as set, or lower if the kernel refused
     * @param kernelRefused whether it did
     * @param refused       times a directory was not watched because of the limit, since the last walk over everything
     * @param rootWatched   false while the root is not there, or cannot be watched
     * @param overflows     times that events were dropped
     * @param failure       what ended it, if anything did
     */
    public record Status(int watched, int limit, boolean kernelRefused, long refused, boolean rootWatched, long events,
            long facts, long overflows, Optional<Throwable> failure) {}

    private Watcher(FileCalls calls, BootClock clock, BytePath root, RootMount mount, Inotify inotify,
            Settings settings,
            Consumer<? super Fact> consumer) {
        this.root = root;
        this.inotify = inotify;
        this.buffer = new EventBuffer(settings.bufferBytes);
        this.map = new WatchMap(root);
        this.watches = new Watches(inotify, map, settings.limit);
        this.interpreter = new Interpreter(calls, clock, root, mount, settings, map, watches, consumer);
        this.reading = Thread.ofPlatform().daemon().name("watch-read " + root).unstarted(this::read);
        this.interpreting = Thread.ofPlatform().daemon().name("watch " + root).unstarted(this::interpret);
    }

    /**
     * Begins to watch. Listing the tree goes on after this has returned.
     *
     * @param root     absolute, without symbolic links
     * @param consumer called by one thread. Interrupted if it blocks while the watcher is being closed
     * @throws PosixException {@link Errno#ENOTSUP} where there is no inotify, {@link Errno#EMFILE} if there are too many users of it
     *                        already; or if the root cannot be opened
     */
    public static Watcher open(FileCalls calls, BootClock clock, BytePath root, Settings settings,
            Consumer<? super Fact> consumer) throws IOException {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException(root + " is relative: where it leads to may change");
        }
        Notification notification = calls.notification()
                .orElseThrow(() -> new PosixException("watch", root.toString(), Errno.ENOTSUP,
                        "there is no inotify on this system"));
        RootMount mount = RootMount.of(calls, root);
        Watcher watcher = new Watcher(calls, clock, root, mount, notification.open(), settings, consumer);
        watcher.reading.start();
        watcher.interpreting.start();
        return watcher;
    }

    public BytePath root() {
        return root;
    }

    public Status status() {
        return new Status(watched, watches.limit(), watches.kernelRefused(), interpreter.walk().refused(),
                interpreter.walk().rootWatched(), interpreter.events(), interpreter.facts(), overflows.sum(),
                Optional.ofNullable(failure));
    }

    /**
     * Watches one more directory, whose parent is watched, and lists it; soon. If that cannot be done, a {@link Fact.Rescan}
     * says so. Nothing is said of one that is not under the root.
     */
    public void watch(BytePath directory) {
        command(() -> interpreter.walk().watch(directory));
    }

    /** Leaves a directory, and everything below, to others; soon. A {@link Fact.Rescan} says when. */
    public void unwatch(BytePath directory) {
        command(() -> interpreter.walk().unwatch(directory));
    }

    /** For what is watched from now on; what is watched already stays. */
    public void limit(int watchesAtMost) {
        command(() -> watches.limit(Math.max(1, watchesAtMost)));
    }

    /** The directories that are watched. Waits for the thread that calls the consumer, so it is not for consumers. */
    public Set<BytePath> watched() throws InterruptedException {
        CompletableFuture<Set<BytePath>> answer = new CompletableFuture<>();
        command(() -> {
            Set<BytePath> paths = new TreeSet<>();
            for (WatchedDirectory directory : map.all()) {
                BytePath path = map.path(directory);
                if (path != null) {
                    paths.add(path);
                }
            }
            answer.complete(paths);
        });
        while (!closed) {
            try {
                return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // Unless it has been closed meanwhile, it is only busy.
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException("the watcher is closed");
    }

    /**
     * Waits until everything that happened before this call, on this machine, has been given to the consumer. Not for the
     * consumer itself.
     *
     * @throws PosixException        {@link Errno#ENOSPC} if there is no watch left to mark the place with
     * @throws IllegalStateException if the watcher is closed or has failed
     */
    public void flush() throws PosixException, InterruptedException {
        // Ending a watch puts an event into the queue, behind all that are there. If it is dropped, so are those before it,
        // and another one is needed to see the end of the walk that follows.
        CountDownLatch reached = new CountDownLatch(1);
        List<Integer> mine = new ArrayList<>();
        try {
            do {
                if (closed) {
                    throw new IllegalStateException("the watcher of " + root + " is closed", failure);
                }
                mine.add(mark(reached));
            } while (!reached.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            mine.forEach(markers::remove);
        }
        if (failure != null) {
            throw new IllegalStateException("the watcher of " + root + " has failed", failure);
        }
    }

    private synchronized int mark(CountDownLatch reached) throws PosixException {
        int watch = inotify.add(MARKER, Inotify.DELETE_SELF);
        markers.put(watch, reached);
        inotify.remove(watch);
        return watch;
    }

    private void command(Runnable command) {
        commands.add(command);
        buffer.nudge();
    }

    private void read() {
        InotifyEvents events = new InotifyEvents(EventBuffer.LEAST_CHUNK);
        try {
            for (Inotify.Outcome outcome = inotify.read(events); outcome != Inotify.Outcome.CLOSED; outcome = inotify
                    .read(events)) {
                if (outcome == Inotify.Outcome.EVENTS && buffer.append(events) < FEW_BYTES) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (PosixException | RuntimeException e) {
            fail(e);
        }
    }

    private void interpret() {
        try (interpreter) {
            interpreter.walk().all();
            watched = map.size();
            while (!closed && turn()) {
                watched = map.size();
            }
        } catch (InterruptedException e) {
            if (!closed) {
                fail(e);
            }
        } catch (RuntimeException | Error e) {
            if (!closed) {
                fail(e);
            }
        }
    }

    private boolean turn() throws InterruptedException {
        switch (buffer.take(map.hasAdrift() ? SHORT_REST_NANOS : REST_NANOS)) {
            case EventBuffer.Taken.Closed _ -> {
                return false;
            }
            case EventBuffer.Taken.Overflow _ -> lost();
            case EventBuffer.Taken.Nothing _ -> interpreter.rest();
            case EventBuffer.Taken.Events(EventBuffer.Chunk chunk) -> {
                List<CountDownLatch> reached = new ArrayList<>();
                boolean complete = interpreter.interpret(chunk.events, watch -> {
                    CountDownLatch latch = markers.remove(watch);
                    if (latch != null) {
                        reached.add(latch);
                    }
                });
                buffer.release(chunk);
                if (!complete) {
                    lost();
                }
                interpreter.walk().endAdrift();
                watched = map.size();
                reached.forEach(CountDownLatch::countDown);
            }
        }
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        return true;
    }

    private void lost() {
        overflows.increment();
        // What is in there happened before the walk that begins now, and so the walk will see it.
        buffer.clear();
        interpreter.walkAfterLoss();
    }

    private void fail(Throwable e) {
        failure = e;
        closed = true;
        inotify.close();
        buffer.close();
        markers.values().forEach(CountDownLatch::countDown);
    }

    /** Ends both threads and gives back the descriptors. A call that hangs on dead storage is left to itself. */
    @Override
    public void close() {
        closed = true;
        inotify.close();
        buffer.close();
        if (Thread.currentThread().equals(interpreting)) {
            return;
        }
        interpreting.interrupt();
        try {
            reading.join(CLOSING);
            interpreting.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
