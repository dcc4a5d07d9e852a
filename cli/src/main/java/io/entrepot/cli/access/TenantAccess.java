package io.entrepot.cli.access;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.queue.RetryPolicy;
import java.util.List;
import java.util.Optional;

/** Tenants, as commands use them. */
public interface TenantAccess {

    List<Tenant> list();

    Tenant get(TenantId tenant);

    TenantUsage usage(TenantId tenant);

    /** @param shard with a database of its own */
    Tenant create(TenantId tenant, TenantLimits limits, boolean shard);

    Tenant setStatus(TenantId tenant, TenantStatus status);

    Tenant setPaused(TenantId tenant, boolean paused);

    Tenant setLimits(TenantId tenant, TenantLimits limits);

    /** By which its failed files are tried again: its own rule, or the pool's. */
    RetryPolicy retryRule(TenantId tenant);

    Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry);

    void delete(TenantId tenant, boolean withFiles);
}
