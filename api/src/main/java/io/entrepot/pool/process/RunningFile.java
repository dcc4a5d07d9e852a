package io.entrepot.pool.process;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.time.Instant;
import java.util.Optional;

/**
 * A file that a handler has now.
 *
 * @param progress what the handler last reported; empty if nothing
 */
public record RunningFile(TenantId tenant, FileKey key, Optional<String> name, Instant since, String progress) {}
