package io.entrepot.pool;

/** What a tenant may do. */
public enum TenantStatus {
    /** Everything. */
    ENABLED,
    /** Reads, and endings of what was claimed before; no new files, no claims. */
    SUSPENDED,
    /** Nothing. */
    DISABLED
}
