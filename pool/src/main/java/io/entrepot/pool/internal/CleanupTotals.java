package io.entrepot.pool.internal;

import io.entrepot.pool.CleanupStatistics;
import java.util.EnumMap;
import java.util.Map;

/** What all runs together have done. Safe for use by many threads, under its own lock. */
final class CleanupTotals {
    private final Map<Tally.Count, Long> counts = new EnumMap<>(Tally.Count.class);

    /** Dry runs have done nothing. */
    synchronized void add(Tally tally) {
        if (!tally.isDryRun()) {
            for (Tally.Count count : Tally.Count.values()) {
                counts.merge(count, tally.count(count), Long::sum);
            }
        }
    }

    /**
     * @param expired leases that ran out, whoever noticed
     * @param emptied directories that went together with the last file in them
     */
    synchronized CleanupStatistics statistics(long expired, long emptied) {
        return new CleanupStatistics(emptied + of(Tally.Count.EMPTY_DIRECTORIES), of(Tally.Count.COMPLETED),
                of(Tally.Count.PERMANENTLY_FAILED), of(Tally.Count.ORPHANS_REMOVED), of(Tally.Count.ORPHANS_IMPORTED),
                expired + of(Tally.Count.TAKEN_FROM_WORKERS), of(Tally.Count.TEMPORARY_FILES),
                of(Tally.Count.WITHOUT_BYTES), of(Tally.Count.WITHOUT_BYTES_REMOVED), of(Tally.Count.STRAYS),
                of(Tally.Count.FORGOTTEN), of(Tally.Count.BYTES_FREED), of(Tally.Count.DATABASE_BYTES));
    }

    private long of(Tally.Count count) {
        return counts.getOrDefault(count, 0L);
    }
}
