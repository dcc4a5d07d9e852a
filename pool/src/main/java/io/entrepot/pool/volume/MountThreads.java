package io.entrepot.pool.volume;

import io.entrepot.posix.MountCall;
import io.entrepot.posix.MountHangsException;
import io.entrepot.posix.MountPool;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The threads on which everything is done that touches a volume, and what their failures mean. Safe for use by many threads,
 * virtual ones above all.
 */
final class MountThreads {
    private final MountPool pool;
    private final Duration patience;
    private final VolumeRoot root;
    /** What was to be closed when no thread was free. */
    private final Queue<Once> leftovers = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    MountThreads(MountPool pool, Duration patience, VolumeRoot root) {
        this.pool = pool;
        this.patience = patience;
        this.root = root;
    }

    MountPool pool() {
        return pool;
    }

    Duration patience() {
        return patience;
    }

    /** @param what for the message */
    <T> T call(Object what, MountCall<T> call) throws VolumeException, InterruptedException {
        Attempt cannotBeGivenUp = new Attempt();
        cannotBeGivenUp.make();
        return call(what, cannotBeGivenUp, call);
    }

    /** @param attempt given up when the caller no longer waits */
    <T> T call(Object what, Attempt attempt, MountCall<T> call) throws VolumeException, InterruptedException {
        try {
            return pool.call(() -> checked(call), patience);
        } catch (MountHangsException e) {
            boolean never = attempt.giveUp() || !e.begun();
            throw Failures.of(root.volume(), never ? what : what + " (it may still be done)", e);
        } catch (InterruptedException e) {
            attempt.giveUp();
            throw e;
        } catch (IOException e) {
            throw Failures.of(root.volume(), what, e);
        } catch (IllegalStateException e) {
            throw late(what, e);
        }
    }

    /** Hands something over and does not wait for it; what it throws is lost. */
    void start(Runnable work) throws VolumeException {
        try {
            pool.start(work, patience);
        } catch (IOException e) {
            throw Failures.of(root.volume(), "take more", e);
        } catch (IllegalStateException e) {
            throw late("take more", e);
        }
    }

    /** What a failure of something that was started means to whoever comes to ask. */
    VolumeException failure(Object what, Throwable e) {
        return switch (e) {
            case IOException io -> Failures.of(root.volume(), what, io);
            case IllegalStateException late -> late(what, late);
            case RuntimeException other -> throw other;
            case Error other -> throw other;
            default -> throw new IllegalStateException(e);
        };
    }

    private VolumeException late(Object what, IllegalStateException e) {
        if (!closed) {
            throw e;
        }
        return new VolumeException(VolumeException.Kind.CLOSED,
                "volume " + root.volume() + ": " + what + ": it was closed, or opened anew: " + e.getMessage(), e);
    }

    /** From now on, whoever comes too late is told so as a failure of the volume: it may have been opened anew. */
    void close() {
        closed = true;
    }

    /** Where something is missing the whole volume may be: storage that is not mounted is an empty directory. */
    <T> T checked(MountCall<T> call) throws IOException {
        for (Once left = leftovers.poll(); left != null; left = leftovers.poll()) {
            left.run();
        }
        try {
            return call.call();
        } catch (IOException e) {
            if (Failures.isGone(e)) {
                root.check();
            }
            throw e;
        }
    }

    /**
     * Closes something. Interrupts do not end it; if the mount hangs it is done when a call comes through again.
     *
     * @param closing throws nothing
     */
    void finish(Runnable closing) {
        Once once = new Once(closing);
        boolean interrupted = Thread.interrupted();
        try {
            while (!once.isBegun() && !tried(once)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if an interrupt came between. */
    private boolean tried(Once once) {
        try {
            pool.call(once::run, patience);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException | IllegalStateException e) {
            leftovers.add(once);
            return true;
        }
    }

    private static final class Once {
        private final Runnable action;
        private final AtomicBoolean begun = new AtomicBoolean();

        Once(Runnable action) {
            this.action = action;
        }

        boolean isBegun() {
            return begun.get();
        }

        /** Whether it was this call that ran it. */
        boolean run() {
            boolean first = begun.compareAndSet(false, true);
            if (first) {
                action.run();
            }
            return first;
        }
    }
}
