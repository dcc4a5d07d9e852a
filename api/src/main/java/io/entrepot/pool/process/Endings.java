package io.entrepot.pool.process;

import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.WorkQueue;
import io.entrepot.store.Advice;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the pool what has become of a file, and counts it. A pool that cannot be told now is told again, as long as the lease
 * lasts. Safe for use by many threads.
 */
final class Endings {
    private final WorkQueue work;
    private final boolean keep;
    private final Tally tally;
    private final CountDownLatch abandoned = new CountDownLatch(1);

    Endings(WorkQueue work, boolean keep, Tally tally) {
        this.work = work;
        this.keep = keep;
        this.tally = tally;
    }

    void end(Held held, Verdict verdict) {
        Backoff backoff = new Backoff();
        boolean told = false;
        while (!told) {
            try {
                tell(held, verdict);
                told = true;
            } catch (PoolException e) {
                told = e instanceof FileLeaseLostException || e.advice() == Advice.GIVE_UP || held.isLost()
                        || isAbandoned(backoff);
                if (told) {
                    lost(e);
                } else {
                    tally.wrong(held.lease() + " could not be ended yet: " + e.getMessage());
                }
            }
        }
    }

    private void tell(Held held, Verdict verdict) {
        FileLease lease = held.lease();
        if (verdict instanceof Verdict.Done) {
            tally.ended((keep ? work.completeAndKeep(lease) : work.complete(lease)).kind());
        } else if (verdict instanceof Verdict.Failed failed) {
            tally.ended((failed.retryable()
                    ? work.fail(lease, failed.error())
                    : work.failForGood(lease, failed.error())).kind());
            tally.wrong(lease.key() + ": " + failed.error());
        } else if (verdict instanceof Verdict.PutOff later) {
            tally.ended(work.putOff(lease, later.why()).kind());
            tally.wrong(lease.key() + " is put off: " + later.why());
        } else if (verdict instanceof Verdict.GivenBack) {
            tally.ended(work.release(lease).kind());
        } else {
            throw new FileLeaseLostException(lease);
        }
    }

    void lost(PoolException why) {
        tally.lost();
        tally.wrong(String.valueOf(why.getMessage()));
    }

    private boolean isAbandoned(Backoff backoff) {
        try {
            return abandoned.await(backoff.next().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Nobody waits any more for what could not be told yet. */
    void abandon() {
        abandoned.countDown();
    }
}
