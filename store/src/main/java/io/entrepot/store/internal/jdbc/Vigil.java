package io.entrepot.store.internal.jdbc;

import io.entrepot.lease.Ticker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Whoever waits alone for an answer stays awake for it. If he slept, the machine would have nothing to run until the disk answers; a
 * processor without anything to run goes to sleep, and to wake it takes about as long as the disk needs: once for the committing thread,
 * which waits for the disk, and once more for the caller. With several callers there is enough to run, and they sleep.
 *
 * <p>If the answer does not come in that time, the disk is slow and staying awake gains nothing: then more and more answers are awaited
 * asleep before it is tried again.
 *
 * <p>Safe for use by many threads.
 */
final class Vigil {
    private static final long LONGEST_NANOS = 400_000;
    private static final int MOST_ASLEEP = 1024;

    private final Ticker ticker;
    /** With one, nobody could answer while somebody is awake. */
    private final boolean severalProcessors;
    private final AtomicInteger waiting = new AtomicInteger();
    /** So many are to be awaited asleep after one that was awaited awake in vain, and so many are left of them. */
    private volatile int asleep;
    private volatile int left;

    Vigil(Ticker ticker, int processors) {
        this.ticker = ticker;
        this.severalProcessors = processors > 1;
    }

    static Vigil onThisMachine() {
        return new Vigil(Ticker.system(), Runtime.getRuntime().availableProcessors());
    }

    /** Before the call is on its way. */
    void enter() {
        waiting.incrementAndGet();
    }

    void leave() {
        waiting.decrementAndGet();
    }

    /** Comes back when it is answered, or when staying awake is of no use. The question costs little. */
    @SuppressWarnings("ThreadPriorityCheck") // whatever else there is to run goes first
    void keep(BooleanSupplier answered) {
        // A virtual thread would keep others from its carrier.
        if (!severalProcessors || waiting.get() > 1 || Thread.currentThread().isVirtual()) {
            return;
        }
        int more = left;
        if (more > 0) {
            left = more - 1; // not exact if there are two, which does no harm
            return;
        }
        long begin = ticker.nanos();
        while (!answered.getAsBoolean()) {
            if (waiting.get() > 1) {
                return;
            }
            if (ticker.nanos() - begin > LONGEST_NANOS) {
                asleep = Math.min(2 * asleep + 1, MOST_ASLEEP);
                left = asleep;
                return;
            }
            Thread.yield();
        }
        asleep = 0;
    }
}
