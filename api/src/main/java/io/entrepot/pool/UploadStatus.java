package io.entrepot.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a file is that is written in pieces.
 *
 * @param offset  so many bytes are durable; the next piece begins there
 * @param size    how many it will be, if that was told
 * @param expires when it is dropped unless something comes; for a finished one, until when it is remembered
 * @param stored  what it came to, if it is finished
 */
public record UploadStatus(TenantId tenant, UploadId id, NewFile file, long offset, OptionalLong size, Instant begun,
        Instant expires, Optional<StoredFile> stored) {}
