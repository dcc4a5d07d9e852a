package io.entrepot.cli;

import io.entrepot.pool.Cleanup;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.TenantId;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What can be cleaned by itself; {@code ALL} is what is done every hour, one after the other. */
enum CleanupStep {
    ALL, EMPTY_DIRECTORIES, TIMED_OUT, PERMANENTLY_FAILED, COMPLETED, TEMPORARY_FILES, FORGET, ORPHANS, MISSING_BYTES;

    private static final Set<CleanupStep> WITH_AGE = EnumSet.of(TIMED_OUT, PERMANENTLY_FAILED, COMPLETED,
            TEMPORARY_FILES, ORPHANS);
    private static final Set<CleanupStep> WITH_TENANT = EnumSet.of(EMPTY_DIRECTORIES, ORPHANS);

    /**
     * How it is to be done.
     *
     * @param config what counts where nothing was said
     */
    record Order(CleanupConfig config, boolean dryRun, Optional<Duration> olderThan, Optional<TenantId> tenant,
            Optional<OrphanAction> orphans, boolean remove) {}

    /** An option that would be ignored is one that somebody believes in. */
    void require(Order order) {
        if (order.olderThan.isPresent() && !WITH_AGE.contains(this)) {
            throw usage("--older-than", WITH_AGE);
        }
        if (order.tenant.isPresent() && !WITH_TENANT.contains(this)) {
            throw usage("--tenant", WITH_TENANT);
        }
        if (order.orphans.isPresent() && this != ORPHANS) {
            throw usage("--orphans", EnumSet.of(ORPHANS));
        }
        if (order.remove && this != MISSING_BYTES) {
            throw usage("--remove", EnumSet.of(MISSING_BYTES));
        }
        if (this == COMPLETED && order.olderThan.or(order.config::completedRetention).isEmpty()) {
            throw new Failure("usage", "completed files are kept for ever; say --older-than", ExitCode.USAGE);
        }
    }

    private static Failure usage(String option, Set<CleanupStep> steps) {
        return new Failure("usage", option + " is for --step "
                + String.join(", --step ", steps.stream().map(Words::of).toList()), ExitCode.USAGE);
    }

    CleanupRun<CleanupReport> start(Cleanup cleanup, Order order) {
        boolean dry = order.dryRun;
        CleanupConfig config = order.config;
        return switch (this) {
            case ALL -> cleanup.run(dry);
            case EMPTY_DIRECTORIES -> order.tenant.isPresent()
                    ? cleanup.emptyDirectories(order.tenant.get(), dry)
                    : cleanup.emptyDirectories(dry);
            case TIMED_OUT -> order.olderThan.or(config::processingTimeout)
                    .map(age -> cleanup.timedOutProcessing(age, dry)).orElseGet(() -> cleanup.timedOutProcessing(dry));
            case PERMANENTLY_FAILED -> cleanup.permanentlyFailed(order.olderThan.orElse(config.failedRetention()), dry);
            case COMPLETED ->
                cleanup.completedRecords(order.olderThan.or(config::completedRetention).orElseThrow(), dry);
            case TEMPORARY_FILES -> cleanup.temporaryFiles(order.olderThan.orElse(config.temporaryAge()), dry);
            case FORGET -> cleanup.forgetOld(dry);
            case ORPHANS -> orphans(cleanup, order);
            case MISSING_BYTES -> cleanup.filesWithoutBytes(order.remove, dry);
        };
    }

    private static CleanupRun<CleanupReport> orphans(Cleanup cleanup, Order order) {
        OrphanAction action = order.orphans.orElse(order.config.orphans());
        Duration age = order.olderThan.orElse(order.config.orphanAge());
        return order.tenant.isPresent()
                ? cleanup.orphans(order.tenant.get(), action, age, order.dryRun)
                : cleanup.orphans(action, age, order.dryRun);
    }
}
