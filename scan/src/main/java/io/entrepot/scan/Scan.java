package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.PosixException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A scan that is running. Somebody should {@link #await} it: that is also who notices storage that does not answer. Safe for
 * use by many threads: what is not atomic is changed under one lock, in which no call is made on storage or sink.
 */
public final class Scan implements AutoCloseable {
    private static final int MOST_PROBLEMS = 1000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** How many of these looks a thread gets to end after a cancellation: enough if its call comes back at all. */
    private static final int GRACE = 5;

    private final FileCalls calls;
    private final BootClock clock;
    private final ScanRequest request;
    private final ScanSink sink;
    private final AtomicInteger stranded;
    private final Frames frames;
    private final Throttle throttle;
    private final long begin;
    private volatile boolean cancelled;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by the lock, as all below. */
    private final Tally own = new Tally();
    private final List<Tally> tallies = new ArrayList<>(List.of(own));
    private final Map<Worker, Thread> running = new HashMap<>();
    private final Map<Worker, Sign> signs = new HashMap<>();
    private final Set<Worker> hanging = new HashSet<>();
    private final List<Problem> problems = new ArrayList<>();
    private int looksSinceCancelled;
    private @Nullable Throwable failure;
    private @Nullable ScanReport report;

    /** When a thread was last seen to have got on. */
    private record Sign(int beat, long seen) {}

    Scan(FileCalls calls, BootClock clock, ScanRequest request, ScanSink sink, AtomicInteger stranded) {
        this.calls = calls;
        this.clock = clock;
        this.request = request;
        this.sink = sink;
        this.stranded = stranded;
        this.frames = new Frames(request.root());
        this.begin = clock.nanos();
        this.throttle = new Throttle(clock, request.entriesPerSecond());
    }

    void start() {
        lock.lock();
        try {
            for (int i = 0; i < request.threads(); i++) {
                start(new Worker(this, null));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the scan has ended: by itself, or soon after {@link #cancel}, leaving behind threads whose calls do not
     * come back. After that the sink is not called any more. An interrupt of the caller does not end the scan.
     *
     * @throws PosixException   if the root cannot be opened
     * @throws RuntimeException what the sink threw
     */
    public ScanReport await() throws PosixException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!running.isEmpty()) {
                long left = changed.awaitNanos(LOOK_NANOS);
                if (left <= 0) {
                    look();
                }
            }
            if (report == null) {
                report = report();
            }
            switch (failure) {
                case null -> {
                }
                case PosixException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
            return report;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it early, without waiting. Harmless when it has ended. */
    public void cancel() {
        lock.lock();
        try {
            cancelled |= report == null && !running.isEmpty();
            if (cancelled) {
                running.values().forEach(Thread::interrupt);
            }
        } finally {
            lock.unlock();
        }
        frames.end();
    }

    /** The same as {@link #cancel}. */
    @Override
    public void close() {
        cancel();
    }

    /** What it is doing; costs little. */
    public ScanProgress progress() {
        lock.lock();
        try {
            List<ScanProgress.Place> places = new ArrayList<>();
            running.keySet().forEach(worker -> addPlace(places, worker));
            return new ScanProgress(Tally.sum(tallies), Duration.ofNanos(clock.nanos() - begin), places);
        } finally {
            lock.unlock();
        }
    }

    // ---- for the workers

    FileCalls calls() {
        return calls;
    }

    BootClock clock() {
        return clock;
    }

    ScanRequest request() {
        return request;
    }

    ScanSink sink() {
        return sink;
    }

    Frames frames() {
        return frames;
    }

    Throttle throttle() {
        return throttle;
    }

    boolean isCancelled() {
        return cancelled;
    }

    void problem(Problem problem) {
        lock.lock();
        try {
            if (problems.size() < MOST_PROBLEMS) {
                problems.add(problem);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The scan cannot go on: the sink threw something, or the root cannot be opened. */
    void fail(Throwable e) {
        lock.lock();
        try {
            if (failure == null) {
                failure = e;
            }
        } finally {
            lock.unlock();
        }
        cancel();
    }

    void ended(Worker worker, boolean wasAbandoned) {
        lock.lock();
        try {
            if (wasAbandoned) {
                stranded.decrementAndGet();
                hanging.remove(worker);
            }
            running.remove(worker);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- under the lock

    private void start(Worker worker) {
        // Calls on storage hold on to their thread, so these are no virtual ones; the JVM does not wait for those that hang.
        Thread thread = Thread.ofPlatform().daemon().name("scan " + request.root()).unstarted(worker);
        running.put(worker, thread);
        tallies.add(worker.tally());
        thread.start();
    }

    private void look() {
        if (cancelled) {
            looksSinceCancelled++;
            if (looksSinceCancelled >= GRACE) {
                for (Worker worker : List.copyOf(running.keySet())) {
                    if (abandon(worker, Worker.Phase.CALLING)) {
                        own.add(Tally.Of.PROBLEMS, 1);
                        problems.add(hangs(worker));
                    }
                }
            }
        } else if (request.patience().isPresent()) {
            long now = clock.nanos();
            long most = request.patience().get().toNanos();
            for (Worker worker : List.copyOf(running.keySet())) {
                if (silence(worker, now) > most && abandon(worker, Worker.Phase.CALLING)) {
                    // Now that it is abandoned, it stays where it is.
                    start(new Worker(this, worker.at()));
                    frames.done();
                }
            }
        }
    }

    private Problem hangs(Worker worker) {
        Worker.At at = worker.at();
        return new Problem(at == null ? request.root() : at.path(), Problem.Kind.HANGING, Errno.NONE);
    }

    /** For how long a thread has not got on in its calls. */
    private long silence(Worker worker, long now) {
        Sign last = signs.get(worker);
        if (last == null || last.beat() != worker.beat()
                || worker.phase() != Worker.Phase.CALLING) {
            signs.put(worker, new Sign(worker.beat(), now));
            return 0;
        }
        return now - last.seen();
    }

    private boolean abandon(Worker worker, Worker.Phase from) {
        if (!worker.abandon(from)) {
            return false;
        }
        stranded.incrementAndGet();
        running.remove(worker);
        hanging.add(worker);
        return true;
    }

    private ScanReport report() {
        List<ScanProgress.Place> places = new ArrayList<>();
        hanging.forEach(worker -> addPlace(places, worker));
        return new ScanReport(cancelled && failure == null, Tally.sum(tallies), Duration.ofNanos(clock.nanos() - begin),
                problems, places);
    }

    private void addPlace(List<ScanProgress.Place> places, Worker worker) {
        Worker.At at = worker.at();
        if (at != null) {
            places.add(
                    new ScanProgress.Place(at.path(), worker.entries(), Duration.ofNanos(clock.nanos() - at.since())));
        }
    }
}
