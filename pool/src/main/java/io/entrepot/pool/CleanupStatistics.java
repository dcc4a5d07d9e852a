package io.entrepot.pool;

/**
 * What was cleaned, by one run or since the pool was opened. In a dry run: what would have been.
 *
 * @param emptyDirectoriesRemoved  by runs; since the pool was opened, also those that went together with their last file
 * @param completedRecordsRemoved  files that were completed and kept, gone with their bytes
 * @param orphanedFilesRemoved     bytes without a file, leftovers of moves among them
 * @param timedOutFilesReset       files whose leases ran out, and those that were taken from their workers
 * @param filesWithoutBytes        found, whether or not they were removed
 * @param strays                   things on volumes that are not ours; never touched
 * @param recordsForgotten         what was remembered of files that are gone, idempotency keys and events
 * @param spaceFreed               bytes on volumes
 * @param databaseSpaceReclaimed   bytes of databases, given back by compaction
 */
public record CleanupStatistics(long emptyDirectoriesRemoved, long completedRecordsRemoved,
        long permanentlyFailedFilesRemoved, long orphanedFilesRemoved, long orphanedFilesImported,
        long timedOutFilesReset, long temporaryFilesRemoved, long filesWithoutBytes, long filesWithoutBytesRemoved,
        long strays, long recordsForgotten, long spaceFreed, long databaseSpaceReclaimed) {}
