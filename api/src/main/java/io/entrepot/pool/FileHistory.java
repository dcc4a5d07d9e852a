package io.entrepot.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a file's life, oldest first; of one that is gone, as long as it is remembered.
 *
 * @param file what it is now; empty if it is gone
 * @param gone when it went and why, if it did
 */
public record FileHistory(TenantId tenant, FileKey key, Optional<String> name, long size, Instant created,
        Optional<FileInfo> file, Optional<Gone> gone, List<HistoryEntry> entries) {

    /** The end of a file. */
    public record Gone(Instant at, String why) {}

    public FileHistory {
        entries = List.copyOf(entries);
    }
}
