package io.entrepot.pool.process;

import io.entrepot.lease.Lease;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Tenure;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFiles;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that a processing has: its lease, and the thread that handles it. Safe for use by many threads: what belongs
 * together is guarded by this object. Its handler is interrupted only between {@link #begin} and {@link #handled}, so that
 * no interrupt hits what is done with the file afterwards.
 */
final class Held implements FileTask {
    private final ClaimedFile claimed;
    private final Instant since;
    private final PoolFiles files;
    private final Ticker ticker;
    private final Lease lease;
    private final Tenure tenure;
    /** Between two tries to renew. */
    private final long retryNanos;
    private volatile String progress = "";
    private volatile @Nullable PoolException trouble;
    private @Nullable Thread handler;
    private boolean lost;
    private boolean stopped;
    private boolean renewing;
    private long triedAt;

    /** @param sentAt the ticker's reading from before the claim was sent */
    Held(ClaimedFile claimed, String worker, PoolFiles files, Ticker ticker, long sentAt, Instant since) {
        this.claimed = claimed;
        this.since = since;
        this.files = files;
        this.ticker = ticker;
        this.lease = new Lease(claimed.lease().toString(), worker, claimed.lease().fence(), claimed.term(),
                Protection.FENCED);
        this.tenure = new Tenure(lease, ticker, sentAt);
        this.retryNanos = claimed.term().dividedBy(20).toNanos();
        this.triedAt = sentAt - retryNanos;
    }

    @Override
    public FileInfo file() {
        return claimed.file();
    }

    @Override
    public FileLease lease() {
        return claimed.lease();
    }

    @Override
    public FileContent open() throws InterruptedException {
        try {
            return files.open(lease().tenant(), lease().key());
        } catch (PoolException e) {
            trouble = e;
            throw e;
        }
    }

    @Override
    public Duration remaining() {
        return tenure.remaining();
    }

    @Override
    public void report(String now) {
        progress = now;
    }

    RunningFile running() {
        return new RunningFile(lease().tenant(), lease().key(), file().name(), since, progress);
    }

    synchronized boolean isHandledBy(Thread thread) {
        return thread.equals(handler);
    }

    /** By the thread that handles it, first. Says whether it is still to be handled. */
    synchronized boolean begin() {
        if (lost || stopped) {
            return false;
        }
        handler = Thread.currentThread();
        return true;
    }

    /** By the thread that handles it, when the handler has ended. What is to be done now is not interrupted. */
    synchronized Verdict handled(@Nullable Throwable thrown) {
        handler = null;
        Thread.interrupted();
        return Verdict.of(thrown, lost, stopped, trouble);
    }

    /** Whether a failure was the storage's: if its volume does not work now, nobody can have read the file. */
    Verdict excused(Verdict.Failed failed) {
        try {
            return files.outage(lease().tenant(), lease().key())
                    .<Verdict>map(why -> new Verdict.PutOff(failed.error() + " (" + why + ")")).orElse(failed);
        } catch (PoolException e) {
            return failed; // whatever that is, it is no excuse
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed;
        }
    }

    synchronized boolean isTakenAway() {
        return lost;
    }

    /** It was taken away, or could not be renewed: whatever comes of it will be refused. */
    synchronized void lose() {
        lost = true;
        tenure.stop();
        interrupt();
    }

    /** Nobody waits for it any more. */
    synchronized void stop() {
        stopped = true;
        interrupt();
    }

    private void interrupt() {
        if (handler != null) {
            handler.interrupt();
        }
    }

    /** Whether it is time to renew and nobody does; the caller then does. */
    synchronized boolean beginRenewal() {
        if (renewing || lost || !tenure.shouldRenew() || ticker.nanos() - triedAt < retryNanos) {
            return false;
        }
        renewing = true;
        triedAt = ticker.nanos();
        return true;
    }

    synchronized void renewed() {
        tenure.renewed(lease, triedAt);
    }

    synchronized void endRenewal() {
        renewing = false;
    }
}
