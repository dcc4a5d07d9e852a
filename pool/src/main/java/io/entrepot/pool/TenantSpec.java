package io.entrepot.pool;

import io.entrepot.queue.RetryPolicy;
import java.util.Optional;

/**
 * A tenant to be created.
 *
 * @param retry  its own rule for failed files; empty for the pool's
 * @param shard  with a database file of its own, so that what damages one tenant's does not touch the others'. Embedded only
 * @param status what it may do from its first moment on
 */
public record TenantSpec(TenantId id, TenantLimits limits, Optional<RetryPolicy> retry, boolean shard,
        TenantStatus status) {

    public static TenantSpec of(TenantId id) {
        return new TenantSpec(id, TenantLimits.NONE, Optional.empty(), false, TenantStatus.ENABLED);
    }

    public TenantSpec withLimits(TenantLimits value) {
        return new TenantSpec(id, value, retry, shard, status);
    }

    public TenantSpec withRetry(RetryPolicy value) {
        return new TenantSpec(id, limits, Optional.of(value), shard, status);
    }

    public TenantSpec sharded() {
        return new TenantSpec(id, limits, retry, true, status);
    }

    public TenantSpec withStatus(TenantStatus value) {
        return new TenantSpec(id, limits, retry, shard, value);
    }
}
