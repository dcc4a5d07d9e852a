package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.WorkDesk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Files to be processed: each is handed to one worker at a time. Every later step carries the lease that came with the file and
 * is refused if that is not the current one: {@link FileLeaseLostException}. Safe for use by many threads.
 */
public final class WorkQueue {
    private final WorkDesk desk;

    WorkQueue(WorkDesk desk) {
        this.desk = desk;
    }

    /** The next file, if there is one now. */
    public Optional<ClaimedFile> claim(TenantId tenant, String worker) {
        try {
            return claim(ClaimOrder.of(tenant, worker)).stream().findFirst();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it does not wait, so nothing was cut short
            return Optional.empty();
        }
    }

    /** As many as are there, up to the maximum; empty if there is nothing and the wait, if any, is over. */
    public List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException {
        return Errors.told(() -> desk.claim(order));
    }

    /** The next file, waited for. @throws NoFilesAvailableException if none came in time */
    public ClaimedFile take(TenantId tenant, String worker, Duration patience) throws InterruptedException {
        List<ClaimedFile> files = claim(ClaimOrder.of(tenant, worker).waiting(patience));
        if (files.isEmpty()) {
            throw new NoFilesAvailableException(tenant, patience);
        }
        return files.getFirst();
    }

    /**
     * Marks a certain file as being processed, out of its turn.
     *
     * @throws FileAlreadyProcessingException if somebody has it
     * @throws FileStateException if it is completed, failed for good, or held
     */
    public ClaimedFile claim(TenantId tenant, FileKey key, String worker, Duration term) {
        return Errors.told(() -> desk.claim(tenant, key, worker, term));
    }

    /** Begins the lease's term anew. */
    public void renew(FileLease lease) {
        Errors.told(() -> {
            desk.renew(lease);
            return true;
        });
    }

    /** Done: the file goes. Calling it again with the same lease changes nothing. */
    public FileOutcome complete(FileLease lease) {
        return Errors.told(() -> desk.complete(lease));
    }

    /** Done: the file is kept, as completed, until cleanup removes it. */
    public FileOutcome completeAndKeep(FileLease lease) {
        return Errors.told(() -> desk.keep(lease));
    }

    /** Many at once; an answer is empty where the lease is lost. */
    public List<Optional<FileOutcome>> completeAll(List<FileLease> leases) {
        return Errors.told(() -> desk.completeAll(leases));
    }

    /** Not done; tried again after a delay by the tenant's rule, or given up after the last attempt. */
    public FileOutcome fail(FileLease lease, String error) {
        return Errors.told(() -> desk.fail(lease, error, true));
    }

    /** Not done, and it is of no use to try again. */
    public FileOutcome failForGood(FileLease lease, String error) {
        return Errors.told(() -> desk.fail(lease, error, false));
    }

    /**
     * Not done, through no fault of the file's: its volume, or what else is needed, is not there. It is tried again after a
     * delay that grows up to a minute with each time in a row, however often. Neither an attempt nor a delivery is counted.
     */
    public FileOutcome putOff(FileLease lease, String why) {
        return Errors.told(() -> desk.putOff(lease, why, Optional.empty()));
    }

    /** The same for somebody who knows how long it takes. */
    public FileOutcome putOff(FileLease lease, String why, Duration delay) {
        return Errors.told(() -> desk.putOff(lease, why, Optional.of(delay)));
    }

    /** Not even tried: back to its place. */
    public FileOutcome release(FileLease lease) {
        return Errors.told(() -> desk.release(lease));
    }

    /** Operators: makes a file pending as if it were new, whatever its state; whoever has it loses it. */
    public void reset(TenantId tenant, FileKey key) {
        Errors.told(() -> {
            desk.reset(tenant, key);
            return true;
        });
    }

    /** Operators: a file that waits for its next attempt need not wait. Says whether it did. */
    public boolean retryNow(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.retryNow(tenant, key));
    }

    /** Operators: makes every file that failed for good pending again; returns how many. */
    public long retryAllFailed(TenantId tenant) {
        return Errors.told(() -> desk.retryAllFailed(tenant));
    }

    /** @throws FileNotFoundException if there is none */
    public FileStatus status(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.status(tenant, key));
    }
}
