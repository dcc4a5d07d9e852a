package io.entrepot.pool;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A file as people and workers see it.
 *
 * @param path        where its bytes are, if the volume is one that other programs can look into
 * @param extension   as it is on the volume, with its dot; empty if none was kept
 * @param modified    when its source was last changed, as far as is known; to the millisecond
 * @param attempts    how often it was failed
 * @param deliveries  how often a lease on it ran out
 * @param epoch       how often it was handed out
 * @param worker      who has it, if it is being processed
 * @param availableAt when it can be handed out, if that is later than now
 * @param since       when it came to be in this state
 * @param unreadable  why its bytes cannot be had now, as far as is known: its volume has failed, or is not mounted
 */
public record FileInfo(TenantId tenant, FileKey key, Optional<String> name, String extension,
        LogicalDirectory directory, long size, Sha256 sha256, Labels labels, Instant created,
        Optional<Instant> modified, String volume,
        Optional<Path> path, FileStatus status, int priority, int attempts, int deliveries, long epoch,
        Optional<String> worker, Optional<String> lastError, Optional<Instant> lastFailedAt,
        Optional<Instant> availableAt, Instant since, Optional<String> source,
        Optional<String> unreadable) {}
