package io.entrepot.cli.access;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.job.RunReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Tidying up, looking through and copying, as commands use it. */
public interface CareAccess {

    LongWork<CleanupReport> clean(CleanupStep step, CleanupStep.Order order);

    /** What was cleaned since the pool was opened, by whoever has it. */
    CleanupStatistics statistics();

    LongWork<CompactionResult> compact(boolean dryRun);

    /** @param resume goes on with one that was cut short */
    LongWork<ScrubReport> scrub(boolean resume);

    LongWork<CheckReport> check(CheckDepth depth);

    /**
     * Goes on, wherever the pool stays open, when nobody waits for it any longer.
     *
     * @param target on the pool's machine, and not there yet
     */
    LongWork<RunReport> backup(Path target);

    /** How long completed files are kept; for ever if empty. */
    Optional<Duration> completedRetention();
}
