package io.entrepot.pool.volume;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes everything on the file system durable, once for all who ask at the same time.
 *
 * <p>The kernel writes back when it likes, and tells of a failure once: to the first {@code syncfs} on a descriptor that was
 * open then. The next one succeeds although the data is gone. So which of several callers would hear of it is chance, and
 * somebody who placed a blob and asks later would hear nothing. Hence:
 * <ul>
 * <li>one {@code syncfs} at a time, on a descriptor that is open as long as the volume is; who comes meanwhile waits for the
 * next one, which begins after that and serves all who wait;
 * <li>INVARIANT: after one has failed none succeeds any more. What was placed since the one before may be lost, and nobody
 * knows what; the volume has to be opened anew, by somebody who looks;
 * <li>one whose caller has given up still counts: its failure is kept, and the next waits for its end.
 * </ul>
 *
 * <p>Safe for use by many threads: everything is changed under one lock, never held while a call runs.
 */
final class SharedSync {
    private final MountThreads threads;
    private final VolumeRoot root;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private long begun;
    private long done;
    private boolean running;
    private @Nullable IOException failure;

    SharedSync(MountThreads threads, VolumeRoot root) {
        this.threads = threads;
        this.root = root;
    }

    void sync() throws VolumeException, InterruptedException {
        long left = threads.patience().toNanos();
        lock.lockInterruptibly();
        try {
            long needed = begun + 1;
            while (done < needed) {
                throwFailure();
                if (!running) {
                    lead();
                } else if (left <= 0) {
                    throw new VolumeException(VolumeException.Kind.HANGS,
                            "volume " + root.volume() + ": sync: an earlier one is still under way", null);
                } else {
                    left = ended.awaitNanos(left);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whatever the reason, also if it was room: it is not enough that there is room again. */
    private void throwFailure() throws VolumeException {
        if (failure != null) {
            throw new VolumeException(VolumeException.Kind.BROKEN, "volume " + root.volume() + ": sync: "
                    + failure.getMessage() + "; what was written before may be lost: open the volume anew", failure);
        }
    }

    /** Called with the lock, and gives it away meanwhile. */
    private void lead() throws VolumeException, InterruptedException {
        Round round = new Round(++begun);
        running = true;
        lock.unlock();
        try {
            threads.call("sync", round::run);
        } finally {
            lock.lock();
            round.leave();
        }
    }

    private final class Round {
        private final long number;
        private final AtomicBoolean taken = new AtomicBoolean();

        Round(long number) {
            this.number = number;
        }

        /** On one of the mount's threads. */
        boolean run() {
            if (!taken.compareAndSet(false, true)) {
                return false;
            }
            IOException failed = null;
            try {
                root.top().syncFileSystem();
                root.requireAlive();
            } catch (IOException e) {
                failed = e;
            } catch (RuntimeException e) {
                failed = new IOException(e);
            }
            lock.lock();
            try {
                if (failed == null) {
                    done = number;
                } else {
                    failure = failed;
                }
                end();
            } finally {
                lock.unlock();
            }
            return true;
        }

        /** By the caller, with the lock: one that no thread has taken by now never runs. */
        void leave() {
            if (taken.compareAndSet(false, true)) {
                end();
            }
        }

        private void end() {
            running = false;
            ended.signalAll();
        }
    }
}
