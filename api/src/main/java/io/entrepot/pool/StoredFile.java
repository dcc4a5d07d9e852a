package io.entrepot.pool;

/** What a write came to; {@code created} is false if an earlier one with the same idempotency key had stored it. */
public record StoredFile(TenantId tenant, FileKey key, long size, Sha256 sha256, boolean created) {}
