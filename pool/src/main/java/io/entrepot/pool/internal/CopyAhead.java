package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a large file within the system, by a thread of its own, and how far it has come, for the one who follows and sums up what has
 * arrived. Nobody interrupts the thread, as that would close the file for everybody who has it open; and it is none of a mount's, since
 * what takes long may be the other side. So the one who follows looks whether a piece takes longer than a call on a volume may, and
 * leaves the thread to itself if he does not want to wait for it.
 *
 * <p>Used once. Guarded by itself is what the two threads tell each other.
 */
final class CopyAhead {
    private static final long WORTH_IT = 2 << 20;
    private static final long AT_ONCE = 4 << 20;
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final Ticker REAL = Ticker.system();

    private final Work work;
    private final long size;
    private final Duration patience;
    private long copied;
    /** The thread is copying, or about to. */
    private boolean copying;
    private long copyingSince;
    private boolean unwanted;
    private boolean over;
    private @Nullable Throwable failure;

    interface Work {
        /** Copies from there on, and not more than so much: how many bytes, none if there are no more. */
        long copy(long at, long most) throws Exception;

        /** So many more have been copied. May wait for a disk: nobody counts how long. */
        default void copied(long n) throws Exception {}
    }

    /** What the one who waited for more finds. */
    enum Course {
        /** There is more. */
        FURTHER,
        /** There is nothing more, and nobody is copying any longer: all has come, or something failed. */
        OVER,
        /** There is nothing more yet, and the piece that is being copied has been taking too long. */
        STUCK
    }

    private CopyAhead(Work work, long size, Duration patience) {
        this.work = work;
        this.size = size;
        this.patience = patience;
    }

    static boolean isWorthIt(long size) {
        return size >= WORTH_IT;
    }

    static CopyAhead start(Work work, long size, Duration patience) {
        CopyAhead ahead = new CopyAhead(work, size, patience);
        Thread.ofPlatform().daemon().name("entrepot copies a file").start(ahead::run);
        return ahead;
    }

    private void run() {
        try {
            long at = 0;
            long n = 1;
            while (at < size && n > 0 && begin()) {
                n = work.copy(at, Math.min(AT_ONCE, size - at));
                at += Math.max(n, 0);
                copied(at);
                work.copied(Math.max(n, 0));
            }
            end(null);
        } catch (Throwable e) { // for whoever waits
            end(e);
        }
    }

    /** False if it is not wanted any more. */
    private synchronized boolean begin() {
        copying = true;
        copyingSince = REAL.nanos();
        return !unwanted;
    }

    private synchronized void copied(long to) {
        copying = false;
        copied = to;
        notifyAll();
    }

    private synchronized void end(@Nullable Throwable why) {
        copying = false;
        over = true;
        failure = why;
        notifyAll();
    }

    /** Who is told that it is stuck and asks again is told so again when as much time has passed. */
    synchronized Course awaitMoreThan(long known) throws InterruptedException {
        while (copied <= known && !over && !isStuck()) {
            wait(LOOK_EVERY_MILLIS);
        }
        if (copied > known) {
            return Course.FURTHER;
        }
        copyingSince = REAL.nanos();
        return over ? Course.OVER : Course.STUCK;
    }

    private boolean isStuck() {
        return copying && REAL.nanos() - copyingSince > patience.toNanos();
    }

    synchronized long copied() {
        return copied;
    }

    /** Why it ended early. */
    synchronized Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** No further piece is begun. One that is under way goes on. */
    synchronized void stop() {
        unwanted = true;
    }
}
