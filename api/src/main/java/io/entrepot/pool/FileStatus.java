package io.entrepot.pool;

/** Where a file stands. */
public enum FileStatus {
    /** Waits to be processed, or to be tried again at a later time. */
    PENDING,
    /** A worker has it. */
    PROCESSING,
    /** Done, and kept. */
    COMPLETED,
    /** Given up: failed too often, or killed its workers. */
    PERMANENTLY_FAILED,
    /** Rebuilt from what its bytes carried; waits for somebody to release it, as it may have been processed before. */
    HELD
}
