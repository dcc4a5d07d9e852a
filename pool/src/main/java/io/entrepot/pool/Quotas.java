package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.QuotaAdmin;
import java.util.List;
import java.util.Optional;

/**
 * How many files a logical directory may have, and has. What a tenant may have is in {@link Tenants#setLimits}. Safe for use by
 * many threads.
 */
public final class Quotas {
    private final QuotaAdmin admin;

    Quotas(QuotaAdmin admin) {
        this.admin = admin;
    }

    /** Makes or replaces the rule of that pattern. It counts from the next file on; what is there stays. */
    public void set(QuotaRule rule) {
        Errors.told(() -> {
            admin.set(rule);
            return true;
        });
    }

    /** Says whether there was one. */
    public boolean remove(String pattern) {
        return Errors.told(() -> admin.remove(pattern));
    }

    public List<QuotaRule> rules() {
        return Errors.told(admin::rules);
    }

    /** The rule that holds there, if any. */
    public Optional<QuotaRule> ruleFor(TenantId tenant, LogicalDirectory directory) {
        return Errors.told(() -> admin.ruleFor(tenant, directory));
    }

    public long fileCount(TenantId tenant, LogicalDirectory directory) {
        return Errors.told(() -> admin.fileCount(tenant, directory));
    }

    /** Whether one more file would be taken now. */
    public boolean canAddFile(TenantId tenant, LogicalDirectory directory) {
        return Errors.told(() -> admin.canAddFile(tenant, directory));
    }

    /** All directories of a tenant that have files, by path. */
    public List<DirectoryUsage> usage(TenantId tenant) {
        return Errors.told(() -> admin.usage(tenant));
    }

    /**
     * Counts all files of a tenant and puts its counters right, if they are not. Needed only if something has gone wrong that
     * should not. Those of the volumes are counted by {@link Volumes#recount}.
     */
    public Recount recount(TenantId tenant) {
        return Errors.told(() -> admin.recount(tenant));
    }
}
