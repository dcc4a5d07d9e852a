package io.entrepot.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Files to be processed: each is handed to one worker at a time. Every later step carries the lease that came with the file and
 * is refused if that is not the current one: {@link FileLeaseLostException}. Safe for use by many threads.
 */
public interface WorkQueue {

    /** The next file, if there is one now. */
    default Optional<ClaimedFile> claim(TenantId tenant, String worker) {
        try {
            return claim(ClaimOrder.of(tenant, worker)).stream().findFirst();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it does not wait, so nothing was cut short
            return Optional.empty();
        }
    }

    /**
     * As many as are there, up to the maximum; empty if there is nothing and the wait, if any, is over.
     *
     * @throws IdempotencyConflictException if its key was used for another claim, or all that it got has been ended
     */
    List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException;

    /** The next file, waited for. @throws NoFilesAvailableException if none came in time */
    default ClaimedFile take(TenantId tenant, String worker, Duration patience) throws InterruptedException {
        List<ClaimedFile> files = claim(ClaimOrder.of(tenant, worker).waiting(patience));
        if (files.isEmpty()) {
            throw new NoFilesAvailableException(tenant, patience);
        }
        return files.get(0);
    }

    /**
     * Marks a certain file as being processed, out of its turn.
     *
     * @throws FileAlreadyProcessingException if somebody has it
     * @throws FileStateException if it is completed, failed for good, or held
     */
    default ClaimedFile claim(TenantId tenant, FileKey key, String worker, Duration term) {
        return claim(tenant, key, worker, term, Optional.empty());
    }

    /** The same with an idempotency key, as {@link ClaimOrder#idempotencyKey}: a repeated claim gets the same lease. */
    ClaimedFile claim(TenantId tenant, FileKey key, String worker, Duration term, Optional<String> idempotencyKey);

    /** Begins the lease's term anew. */
    void renew(FileLease lease);

    /** Done: the file goes. Calling it again with the same lease changes nothing. */
    FileOutcome complete(FileLease lease);

    /** Done: the file is kept, as completed, until cleanup removes it. */
    FileOutcome completeAndKeep(FileLease lease);

    /** Many at once; an answer is empty where the lease is lost. */
    List<Optional<FileOutcome>> completeAll(List<FileLease> leases);

    /** Not done; tried again after a delay by the tenant's rule, or given up after the last attempt. */
    FileOutcome fail(FileLease lease, String error);

    /** Not done, and it is of no use to try again. */
    FileOutcome failForGood(FileLease lease, String error);

    /**
     * Not done, through no fault of the file's: its volume, or what else is needed, is not there. It is tried again after a
     * delay that grows up to a minute with each time in a row, however often. Neither an attempt nor a delivery is counted.
     */
    FileOutcome putOff(FileLease lease, String why);

    /** The same for somebody who knows how long it takes. */
    FileOutcome putOff(FileLease lease, String why, Duration delay);

    /** Not even tried: back to its place. */
    FileOutcome release(FileLease lease);

    /** Operators: makes a file pending as if it were new, whatever its state; whoever has it loses it. */
    void reset(TenantId tenant, FileKey key);

    /** Operators: a file that waits for its next attempt need not wait. Says whether it did. */
    boolean retryNow(TenantId tenant, FileKey key);

    /** Operators: makes every file that failed for good pending again; returns how many. */
    long retryAllFailed(TenantId tenant);

    /** @throws FileNotFoundException if there is none */
    FileStatus status(TenantId tenant, FileKey key);
}
