package io.entrepot.pool;

import java.time.Duration;

/** A file that was handed to a worker, for so long unless it is renewed. */
public record ClaimedFile(FileInfo file, FileLease lease, Duration term) {

    public FileKey key() {
        return file.key();
    }
}
