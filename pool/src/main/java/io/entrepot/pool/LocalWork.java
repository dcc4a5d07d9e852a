package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.WorkDesk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Work of a pool in this process, by way of the pool's own desks. Safe for use by many threads. */
final class LocalWork implements WorkQueue {
    private final WorkDesk desk;

    LocalWork(WorkDesk desk) {
        this.desk = desk;
    }

    @Override
    public List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException {
        return Errors.told(() -> desk.claim(order));
    }

    @Override
    public ClaimedFile claim(TenantId tenant, FileKey key, String worker, Duration term,
            Optional<String> idempotencyKey) {
        return Errors.told(() -> desk.claim(tenant, key, worker, term, idempotencyKey));
    }

    @Override
    public void renew(FileLease lease) {
        Errors.told(() -> {
            desk.renew(lease);
            return true;
        });
    }

    @Override
    public FileOutcome complete(FileLease lease) {
        return Errors.told(() -> desk.complete(lease));
    }

    @Override
    public FileOutcome completeAndKeep(FileLease lease) {
        return Errors.told(() -> desk.keep(lease));
    }

    @Override
    public List<Optional<FileOutcome>> completeAll(List<FileLease> leases) {
        return Errors.told(() -> desk.completeAll(leases));
    }

    @Override
    public FileOutcome fail(FileLease lease, String error) {
        return Errors.told(() -> desk.fail(lease, error, true));
    }

    @Override
    public FileOutcome failForGood(FileLease lease, String error) {
        return Errors.told(() -> desk.fail(lease, error, false));
    }

    @Override
    public FileOutcome putOff(FileLease lease, String why) {
        return Errors.told(() -> desk.putOff(lease, why, Optional.empty()));
    }

    @Override
    public FileOutcome putOff(FileLease lease, String why, Duration delay) {
        return Errors.told(() -> desk.putOff(lease, why, Optional.of(delay)));
    }

    @Override
    public FileOutcome release(FileLease lease) {
        return Errors.told(() -> desk.release(lease));
    }

    @Override
    public void reset(TenantId tenant, FileKey key) {
        Errors.told(() -> {
            desk.reset(tenant, key);
            return true;
        });
    }

    @Override
    public boolean retryNow(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.retryNow(tenant, key));
    }

    @Override
    public long retryAllFailed(TenantId tenant) {
        return Errors.told(() -> desk.retryAllFailed(tenant));
    }

    @Override
    public FileStatus status(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.status(tenant, key));
    }
}
