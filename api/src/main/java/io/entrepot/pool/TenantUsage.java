package io.entrepot.pool;

/** What a tenant has, by state; kept, not counted. */
public record TenantUsage(long files, long bytes, long pending, long processing, long delayed, long completed,
        long failed, long held) {}
