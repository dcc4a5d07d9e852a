package io.entrepot.pool.watch;

import io.entrepot.pool.TenantId;

/** Whose files are in a watched directory. */
public sealed interface WatchMode {

    /** All are one tenant's. */
    record OneTenant(TenantId tenant) implements WatchMode {}

    /**
     * Each sub-directory has a tenant's name and its files. What is in the directory itself is nobody's, and stays. A
     * sub-directory that has no tenant's name is skipped and reported; if the pool creates tenants by their first file, one that
     * could be a tenant's name becomes one.
     *
     * @param createDirectories each scan makes a sub-directory for every tenant that is enabled and has none
     */
    record ManyTenants(boolean createDirectories) implements WatchMode {}
}
