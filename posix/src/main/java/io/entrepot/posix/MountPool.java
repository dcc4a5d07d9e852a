package io.entrepot.posix;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A few platform threads for the calls on one mount. A call through the foreign function interface holds on to the thread it
 * runs on, so two calls on dead storage would stop all virtual threads of a two-core machine; here they stop only what needs
 * that mount.
 * <p>
 * A call <i>hangs</i> when its caller's patience has run out and it still runs. When all threads hang, calls are refused at
 * once. A thread whose call comes back serves again; what such a call brings is closed if it can be.
 * <p>
 * Safe for use by many threads, virtual ones above all: everything is changed under one lock, never held while a call runs.
 */
public final class MountPool {
    private static final long IDLE_SECONDS = 60;

    private final BytePath mount;
    private final int most;
    private final BootClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final ArrayDeque<Job<?>> waiting = new ArrayDeque<>();
    private final Set<Job<?>> running = new HashSet<>();
    private int threads;
    private int idle;
    private long started;
    private boolean closed;

    MountPool(BytePath mount, int most, BootClock clock) {
        if (most < 1) {
            throw new IllegalArgumentException("a pool has at least one thread, not " + most);
        }
        this.mount = mount;
        this.most = most;
        this.clock = clock;
    }

    /**
     * What an operator wants to see.
     *
     * @param mount   where it is mounted
     * @param threads how many there may be
     * @param running calls that have been begun and not ended
     * @param hanging those of them whose callers have given up
     * @param waiting calls that have not been begun
     * @param longest how long the oldest of the running calls has been running
     */
    public record Load(BytePath mount, int threads, int running, int hanging, int waiting, Duration longest) {}

    /**
     * Runs a call on one of the threads and waits for it.
     *
     * @param patience how long to wait, for a free thread and for the answer together
     * @throws MountHangsException  if that was not long enough, or all threads hang already
     * @throws InterruptedException if the caller is interrupted; the call itself goes on if it was begun
     */
    public <T> T call(MountCall<T> call, Duration patience) throws IOException, InterruptedException {
        Job<T> job = new Job<>(call, lock.newCondition());
        lock.lockInterruptibly();
        try {
            submit(job, patience);
            await(job, job.patience);
        } finally {
            lock.unlock();
        }
        return job.result();
    }

    /**
     * Hands something over to one of the threads and does not wait for it. What it throws is lost.
     *
     * @param patience after that it hangs
     * @throws MountHangsException if all threads hang already
     */
    public void start(Runnable work, Duration patience) throws MountHangsException {
        Job<Boolean> job = new Job<>(() -> {
            work.run();
            return true;
        }, lock.newCondition());
        job.left = true;
        lock.lock();
        try {
            submit(job, patience);
        } finally {
            lock.unlock();
        }
    }

    public Load snapshot() {
        lock.lock();
        try {
            return load();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is left of it: no call and no thread. */
    boolean isIdle() {
        lock.lock();
        try {
            return threads == 0 && waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new calls; those that were begun go on, and their threads end after them. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void submit(Job<?> job, Duration patience) throws MountHangsException {
        if (closed) {
            throw new IllegalStateException("the pools are closed");
        }
        job.submittedAt = clock.nanos();
        job.patience = patience.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? patience.toNanos() : Long.MAX_VALUE;
        if (hanging() == most) {
            throw new MountHangsException(mount, false, load());
        }
        waiting.add(job);
        if (idle >= waiting.size()) {
            work.signal();
        } else if (threads < most) {
            threads++;
            boolean begun = false;
            try {
                Thread.ofPlatform().daemon().name("mount " + mount + " " + ++started).start(this::serve);
                begun = true;
            } finally {
                if (!begun) { // the system gives no more threads: nobody is to count on this one
                    threads--;
                    waiting.remove(job);
                }
            }
        }
    }

    private void await(Job<?> job, long nanos) throws MountHangsException, InterruptedException {
        long left = nanos;
        try {
            while (!job.ended) {
                if (left <= 0) {
                    job.hangs = true;
                    boolean begun = !waiting.remove(job);
                    throw new MountHangsException(mount, begun, load());
                }
                left = job.answer.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            waiting.remove(job);
            throw e;
        } finally {
            job.left = !job.ended;
        }
    }

    private void serve() {
        lock.lock();
        try {
            Job<?> job = take();
            while (job != null) {
                running.add(job);
                job.startedAt = clock.nanos();
                lock.unlock();
                try {
                    job.run();
                } finally {
                    lock.lock();
                }
                running.remove(job);
                job.ended = true;
                job.answer.signal();
                if (job.left) {
                    lock.unlock();
                    try {
                        job.discard();
                    } finally {
                        lock.lock();
                    }
                }
                job = take();
            }
        } finally {
            threads--;
            lock.unlock();
        }
    }

    /** The next call; none when there was nothing to do for a while, so that a mount nobody uses costs no thread. */
    private @Nullable Job<?> take() {
        long left = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);
        while (waiting.isEmpty() && left > 0 && !closed) {
            idle++;
            try {
                left = work.awaitNanos(left);
            } catch (InterruptedException e) {
                // Nobody has business to interrupt these threads; a call that does it to its own thread changes nothing.
            } finally {
                idle--;
            }
        }
        return waiting.poll();
    }

    private int hanging() {
        int hanging = 0;
        for (Job<?> job : running) {
            if (job.hangs || (job.left && clock.nanos() - job.submittedAt > job.patience)) {
                hanging++;
            }
        }
        return hanging;
    }

    private Load load() {
        long now = clock.nanos();
        long longest = 0;
        for (Job<?> job : running) {
            longest = Math.max(longest, now - job.startedAt);
        }
        return new Load(mount, most, running.size(), hanging(), waiting.size(), Duration.ofNanos(longest));
    }

    /** One call. What is not final is guarded by the lock, except the outcome, which is written before {@code ended}. */
    private static final class Job<T> {
        private final MountCall<T> call;
        private final Condition answer;
        private long submittedAt;
        private long startedAt;
        private long patience;
        private boolean ended;
        /** The caller has waited as long as it would. */
        private boolean hangs;
        /** The caller has gone, for that or another reason. */
        private boolean left;
        private @Nullable T value;
        private @Nullable Throwable failure;

        Job(MountCall<T> call, Condition answer) {
            this.call = call;
            this.answer = answer;
        }

        void run() {
            try {
                value = call.call();
            } catch (Throwable e) {
                failure = e;
            }
        }

        @SuppressWarnings("NullAway") // A call that gives null gives it to its own caller.
        T result() throws IOException {
            return switch (failure) {
                case null -> value;
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            };
        }

        /** An open directory that nobody waits for any more would stay open for good. */
        void discard() {
            if (value instanceof AutoCloseable resource) {
                try {
                    resource.close();
                } catch (Exception e) {
                    // Nobody is there to be told.
                }
            }
        }
    }
}
