package io.entrepot.pool;

import io.entrepot.queue.RetryPolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * A tenant as it was when it was looked at.
 *
 * @param paused  an operator has stopped the handing out of its files
 * @param retry   its own rule for failed files; empty if the pool's holds
 * @param sharded it has a database file of its own
 */
public record Tenant(TenantId id, TenantStatus status, boolean paused, TenantLimits limits,
        Optional<RetryPolicy> retry, Instant created, boolean sharded) {}
