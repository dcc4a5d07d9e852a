package io.entrepot.cli.access;

import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.TenantId;
import java.time.Duration;
import java.util.Optional;

/** What can be cleaned by itself; {@code ALL} is what is done every hour, one after the other. */
public enum CleanupStep {
    ALL, EMPTY_DIRECTORIES, TIMED_OUT, PERMANENTLY_FAILED, COMPLETED, TEMPORARY_FILES, FORGET, ORPHANS, MISSING_BYTES;

    /** How it is to be done; where nothing is said, as the pool's configuration has it. */
    public record Order(boolean dryRun, Optional<Duration> olderThan, Optional<TenantId> tenant,
            Optional<OrphanAction> orphans, boolean remove) {}
}
