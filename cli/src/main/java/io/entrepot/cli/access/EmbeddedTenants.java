package io.entrepot.cli.access;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.Tenants;
import io.entrepot.queue.RetryPolicy;
import java.util.List;
import java.util.Optional;

/** Tenants of a pool in this process. */
record EmbeddedTenants(Tenants tenants) implements TenantAccess {

    @Override
    public List<Tenant> list() {
        return tenants.list();
    }

    @Override
    public Tenant get(TenantId tenant) {
        return tenants.get(tenant);
    }

    @Override
    public TenantUsage usage(TenantId tenant) {
        return tenants.usage(tenant);
    }

    @Override
    public Tenant create(TenantId tenant, TenantLimits limits, boolean shard) {
        return shard ? tenants.createWithShard(tenant, limits) : tenants.create(tenant, limits);
    }

    @Override
    public Tenant setStatus(TenantId tenant, TenantStatus status) {
        return switch (status) {
            case ENABLED -> tenants.enable(tenant);
            case SUSPENDED -> tenants.suspend(tenant);
            case DISABLED -> tenants.disable(tenant);
        };
    }

    @Override
    public Tenant setPaused(TenantId tenant, boolean paused) {
        return tenants.setPaused(tenant, paused);
    }

    @Override
    public Tenant setLimits(TenantId tenant, TenantLimits limits) {
        return tenants.setLimits(tenant, limits);
    }

    @Override
    public RetryPolicy retryRule(TenantId tenant) {
        return tenants.retryRule(tenant);
    }

    @Override
    public Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry) {
        return tenants.setRetry(tenant, retry);
    }

    @Override
    public void delete(TenantId tenant, boolean withFiles) {
        tenants.delete(tenant, withFiles);
    }
}
