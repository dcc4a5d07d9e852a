package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets entries pass at a rate, counted over all threads. What was not used up is not saved, beyond a moment, so a pause is
 * not followed by a flood. Safe for use by many threads: the state is the moment at which all that has passed is paid for.
 */
final class Throttle {
    private static final long SECOND = 1_000_000_000L;
    private static final long SAVED = SECOND / 20;
    private static final long LONGEST_NAP = SECOND / 50;

    private final BootClock clock;
    private final double nanosPerEntry;
    private final AtomicLong paidAt;

    Throttle(BootClock clock, long entriesPerSecond) {
        this.clock = clock;
        this.nanosPerEntry = entriesPerSecond == ScanRequest.UNLIMITED ? 0 : (double) SECOND / entriesPerSecond;
        this.paidAt = new AtomicLong(clock.nanos());
    }

    /**
     * Waits until these entries are paid for.
     *
     * @param waiting told again and again while it waits
     * @throws InterruptedException if the thread is interrupted
     */
    void pass(long entries, Runnable waiting) throws InterruptedException {
        if (nanosPerEntry == 0) {
            return;
        }
        long price = (long) (entries * nanosPerEntry);
        long begin = clock.nanos();
        long due = paidAt.updateAndGet(paid -> (paid - begin < -SAVED ? begin - SAVED : paid) + price);
        long left = due - begin;
        while (left > 0) {
            waiting.run();
            LockSupport.parkNanos(this, Math.min(left, LONGEST_NAP));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            left = due - clock.nanos();
        }
    }
}
