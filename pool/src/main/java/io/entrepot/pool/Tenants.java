package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.TenantAdmin;
import io.entrepot.queue.RetryPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The tenants of a pool. Safe for use by many threads. */
public final class Tenants {
    private final TenantAdmin admin;

    Tenants(TenantAdmin admin) {
        this.admin = admin;
    }

    /** @throws TenantExistsException if there is one of that name */
    public Tenant create(TenantId tenant) {
        return create(tenant, TenantLimits.NONE);
    }

    public Tenant create(TenantId tenant, TenantLimits limits) {
        return Errors.told(() -> admin.create(tenant, limits, false));
    }

    /** With a database file of its own, so that what damages one tenant's does not touch the others'. Embedded only. */
    public Tenant createWithShard(TenantId tenant, TenantLimits limits) {
        return Errors.told(() -> admin.create(tenant, limits, true));
    }

    public Optional<Tenant> find(TenantId tenant) {
        return Errors.told(() -> admin.find(tenant));
    }

    /** @throws TenantNotFoundException if there is none */
    public Tenant get(TenantId tenant) {
        return find(tenant).orElseThrow(() -> new TenantNotFoundException(tenant));
    }

    /** By name. */
    public List<Tenant> list() {
        return Errors.told(admin::list);
    }

    public Tenant enable(TenantId tenant) {
        return Errors.told(() -> admin.setStatus(tenant, TenantStatus.ENABLED));
    }

    /** No new files and no claims; reads, and the endings of what was claimed, go on. */
    public Tenant suspend(TenantId tenant) {
        return Errors.told(() -> admin.setStatus(tenant, TenantStatus.SUSPENDED));
    }

    /** Everything is refused. Nothing is lost: leases that run out meanwhile do not count. */
    public Tenant disable(TenantId tenant) {
        return Errors.told(() -> admin.setStatus(tenant, TenantStatus.DISABLED));
    }

    /** Only one without files can be deleted, unless {@code withFiles}. What is known of its past goes too. */
    public void delete(TenantId tenant, boolean withFiles) {
        Errors.told(() -> {
            admin.delete(tenant, withFiles);
            return true;
        });
    }

    public Tenant setLimits(TenantId tenant, TenantLimits limits) {
        return Errors.told(() -> admin.setLimits(tenant, limits));
    }

    /** When its failed files are tried again; empty for the pool's rule. */
    public Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry) {
        return Errors.told(() -> admin.setRetry(tenant, retry));
    }

    /** By which its failed files are tried again: its own rule, or the pool's. */
    public RetryPolicy retryRule(TenantId tenant) {
        return Errors.told(() -> admin.retryRule(tenant));
    }

    /** Stops and begins again the handing out of its files. */
    public Tenant setPaused(TenantId tenant, boolean paused) {
        return Errors.told(() -> admin.setPaused(tenant, paused));
    }

    public TenantUsage usage(TenantId tenant) {
        return Errors.told(() -> admin.usage(tenant));
    }

    /** Since when the file waits that is next to be handed out; empty if none waits. */
    public Optional<Instant> oldestPending(TenantId tenant) {
        return Errors.told(() -> admin.oldestPending(tenant));
    }
}
