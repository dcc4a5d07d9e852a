package io.entrepot.chaos.pool;

/** What can be wrong with a pool, for tests of this scenario: each has to be found out. */
enum Bug {
    NONE,
    /** Commits do not wait for the disk. */
    COMMITS_DO_NOT_SYNC,
    /** The rows from which files are written again go although the volume was not synced. */
    VOLUMES_DO_NOT_SYNC,
    /** A completed file's bytes go before its row does. */
    UNLINKS_FIRST,
    /** A writer is told before the commit. */
    ANSWERS_FIRST,
    /** What has a place and no row yet is taken for an orphan. */
    SCANS_IGNORE_WRITES
}
