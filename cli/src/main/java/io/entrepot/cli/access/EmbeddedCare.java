package io.entrepot.cli.access;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.Cleanup;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.RunReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Care for a pool in this process.
 *
 * @param config what counts where nothing is said
 */
record EmbeddedCare(Pool pool, CleanupConfig config) implements CareAccess {

    @Override
    public LongWork<CleanupReport> clean(CleanupStep step, CleanupStep.Order order) {
        return EmbeddedWork.of(start(pool.cleanup(), step, order), CleanupReport.class);
    }

    private CleanupRun<CleanupReport> start(Cleanup cleanup, CleanupStep step, CleanupStep.Order order) {
        boolean dry = order.dryRun();
        Optional<Duration> age = order.olderThan();
        return switch (step) {
            case ALL -> cleanup.run(dry);
            case EMPTY_DIRECTORIES -> order.tenant().isPresent()
                    ? cleanup.emptyDirectories(order.tenant().get(), dry)
                    : cleanup.emptyDirectories(dry);
            case TIMED_OUT -> age.or(config::processingTimeout).map(longest -> cleanup.timedOutProcessing(longest, dry))
                    .orElseGet(() -> cleanup.timedOutProcessing(dry));
            case PERMANENTLY_FAILED -> failed(cleanup, age.orElse(config.failedRetention()), order);
            case COMPLETED -> completed(cleanup, age.or(config::completedRetention).orElseThrow(), order);
            case TEMPORARY_FILES -> cleanup.temporaryFiles(age.orElse(config.temporaryAge()), dry);
            case FORGET -> cleanup.forgetOld(dry);
            case ORPHANS -> orphans(cleanup, order);
            case MISSING_BYTES -> cleanup.filesWithoutBytes(order.remove(), dry);
        };
    }

    private static CleanupRun<CleanupReport> failed(Cleanup cleanup, Duration age, CleanupStep.Order order) {
        return order.tenant().isPresent()
                ? cleanup.permanentlyFailed(order.tenant().get(), age, order.dryRun())
                : cleanup.permanentlyFailed(age, order.dryRun());
    }

    private static CleanupRun<CleanupReport> completed(Cleanup cleanup, Duration age, CleanupStep.Order order) {
        return order.tenant().isPresent()
                ? cleanup.completedRecords(order.tenant().get(), age, order.dryRun())
                : cleanup.completedRecords(age, order.dryRun());
    }

    private CleanupRun<CleanupReport> orphans(Cleanup cleanup, CleanupStep.Order order) {
        OrphanAction action = order.orphans().orElse(config.orphans());
        Duration age = order.olderThan().orElse(config.orphanAge());
        return order.tenant().isPresent()
                ? cleanup.orphans(order.tenant().get(), action, age, order.dryRun())
                : cleanup.orphans(action, age, order.dryRun());
    }

    @Override
    public CleanupStatistics statistics() {
        return pool.cleanup().statistics();
    }

    @Override
    public LongWork<CompactionResult> compact(boolean dryRun) {
        return EmbeddedWork.of(pool.cleanup().compact(dryRun), CompactionResult.class);
    }

    @Override
    public LongWork<ScrubReport> scrub(boolean resume) {
        return EmbeddedWork.of(resume ? pool.cleanup().resumeScrub() : pool.cleanup().scrub(), ScrubReport.class);
    }

    @Override
    public LongWork<CheckReport> check(CheckDepth depth) {
        return EmbeddedWork.of(pool.jobs().start(new JobName("check"), run -> {
            run.keep(pool.check(depth, run));
            return new JobResult("looked through");
        }).handle(), CheckReport.class);
    }

    @Override
    public LongWork<RunReport> backup(Path target) {
        if (Files.exists(target)) {
            throw new InvalidSettingException(target + " is there already; choose another name");
        }
        AtomicReference<@Nullable Thread> writer = new AtomicReference<>();
        JobHandle handle = pool.jobs().start(new JobName("backup"), run -> {
            writer.set(Thread.currentThread());
            try {
                run.checkpoint();
                pool.backup(target);
            } finally {
                writer.set(null);
            }
            return new JobResult("written to " + target);
        }).handle();
        return EmbeddedWork.of(handle, () -> interrupt(writer.get())); // it looks at nothing else
    }

    private static void interrupt(@Nullable Thread thread) {
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public Optional<Duration> completedRetention() {
        return config.completedRetention();
    }
}
