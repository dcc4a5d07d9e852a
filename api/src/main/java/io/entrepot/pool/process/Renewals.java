package io.entrepot.pool.process;

import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Renews what a processing has in hand, from a third of its term on; what is lost, or could not be renewed until shortly before
 * its end, is given up. Each renewal has a thread of its own, so that one that hangs does not cost the others their leases.
 * One thread; {@link #close} may be called by any.
 */
final class Renewals implements AutoCloseable {
    /** The ticker may be another clock than that of a thread's sleep. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

    private final WorkQueue work;
    private final Supplier<List<Held>> inHand;
    private final Consumer<Held> lost;
    private final Consumer<PoolException> failed;
    private final Duration pause;
    private final Processing.Threads threads;
    private final Thread thread;

    Renewals(WorkQueue work, Duration term, Supplier<List<Held>> inHand, Consumer<Held> lost,
            Consumer<PoolException> failed, Processing.Threads threads) {
        this.work = work;
        this.inHand = inHand;
        this.lost = lost;
        this.failed = failed;
        this.threads = threads;
        Duration part = term.dividedBy(20);
        this.pause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
        this.thread = threads.named("renewals", this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                inHand.get().forEach(this::look);
                Thread.sleep(pause.toMillis());
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void look(Held held) {
        if (held.isLost()) {
            if (!held.isTakenAway()) {
                lost.accept(held);
            }
        } else if (held.beginRenewal()) {
            threads.named("renew " + held.lease(), () -> renew(held)).start();
        }
    }

    /** After {@link Held#beginRenewal}. */
    void renew(Held held) {
        try {
            work.renew(held.lease());
            held.renewed();
        } catch (FileLeaseLostException e) {
            lost.accept(held);
        } catch (PoolException e) {
            failed.accept(e); // and tried again soon
        } finally {
            held.endRenewal();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
