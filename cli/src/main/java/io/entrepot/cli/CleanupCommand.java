package io.entrepot.cli;

import io.entrepot.cli.access.CareAccess;
import io.entrepot.cli.access.CleanupStep;
import io.entrepot.cli.access.LongWork;
import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tidies up now. */
@Command(name = "cleanup", description = {"Remove what nobody needs any more.",
        "Without --step all that is done by itself every hour while a process has the pool open: timed-out,"
                + " permanently-failed, completed, temporary-files, empty-directories, forget. Only by --step: orphans (bytes"
                + " that no file has), missing-bytes (files whose bytes are gone), compact (databases).",
        "Ctrl-C stops it where that does no harm. Exit code 1 if something could not be done."})
final class CleanupCommand implements Callable<Integer> {
    private static final String COMPACT = "compact";
    private static final Set<CleanupStep> WITH_AGE = EnumSet.of(CleanupStep.TIMED_OUT, CleanupStep.PERMANENTLY_FAILED,
            CleanupStep.COMPLETED, CleanupStep.TEMPORARY_FILES, CleanupStep.ORPHANS);
    private static final Set<CleanupStep> WITH_TENANT = EnumSet.of(CleanupStep.PERMANENTLY_FAILED,
            CleanupStep.COMPLETED, CleanupStep.EMPTY_DIRECTORIES, CleanupStep.ORPHANS);

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--step", paramLabel = "STEP", description = "Only this; may be repeated.")
    List<String> steps = List.of();

    @Option(names = "--dry-run", description = "Only say what would be done.")
    boolean dryRun;

    @Option(names = "--older-than", paramLabel = "DURATION",
            description = "Instead of the age that is configured, for steps that have one.")
    @Nullable
    String olderThan;

    @Option(names = {"-t", "--tenant"}, paramLabel = "TENANT",
            description = "Only what is this tenant's: --step permanently-failed, completed, empty-directories, orphans. With"
                    + " --older-than 0s this purges a tenant of all that has failed for good.")
    @Nullable
    String tenant;

    @Option(names = "--orphans", paramLabel = "WHAT", description = "What to do with orphans: report, delete, import.")
    @Nullable
    String orphans;

    @Option(names = "--remove", description = "--step missing-bytes: take such files out of the books.")
    boolean remove;

    @Option(names = "--stats", description = "Clean nothing, and say what was cleaned since the pool was opened: by a"
            + " server since it was started.")
    boolean stats;

    @Override
    public Integer call() throws InterruptedException {
        if (stats) {
            return tellStats();
        }
        CleanupStep.Order order = new CleanupStep.Order(dryRun, age(),
                Optional.ofNullable(tenant).map(TenantId::new),
                Optional.ofNullable(orphans).map(text -> Words.parse(OrphanAction.class, text)), remove);
        List<String> wanted = steps.isEmpty() ? List.of(Words.of(CleanupStep.ALL)) : steps;
        wanted.stream().filter(step -> !step.equals(COMPACT)).forEach(step -> require(parse(step), order));
        boolean allWell = true;
        try (JobWait wait = new JobWait(on);
                PoolAccess pool = dryRun ? on.reachExistingQuietly() : on.reachExisting()) {
            if (wanted.contains(Words.of(CleanupStep.COMPLETED)) && order.olderThan().isEmpty()
                    && pool.care().completedRetention().isEmpty()) {
                throw new Failure("usage", "completed files are kept for ever; say --older-than", ExitCode.USAGE);
            }
            for (String step : wanted) {
                if (!wait.isStopped()) {
                    allWell &= step.equals(COMPACT)
                            ? compact(pool.care(), wait)
                            : clean(parse(step), pool.care(), order, wait);
                }
            }
        }
        return allWell ? ExitCode.OK : ExitCode.FAILED;
    }

    private int tellStats() throws InterruptedException {
        if (!steps.isEmpty() || dryRun || olderThan != null || tenant != null || orphans != null || remove) {
            throw new Failure("usage", "--stats is all there is then: leave out the rest", ExitCode.USAGE);
        }
        try (PoolAccess pool = on.reachExisting()) {
            CleanupText text = new CleanupText(pool.care().statistics());
            Columns table = new Columns("CLEANED SINCE THE POOL WAS OPENED", "").right(1);
            text.rows().forEach(table::row);
            if (on.json) {
                on.out().println(text.addTo(new JsonObject()));
            } else if (text.rows().isEmpty()) {
                on.out().println("nothing was cleaned since the pool was opened");
            } else {
                table.print(on.out());
            }
        }
        return ExitCode.OK;
    }

    private Optional<Duration> age() {
        return Optional.ofNullable(olderThan).map(Durations::parse);
    }

    private static CleanupStep parse(String step) {
        try {
            return Words.parse(CleanupStep.class, step);
        } catch (Failure e) {
            throw new Failure(e.code(), e.getMessage() + ", " + COMPACT, e.exit());
        }
    }

    /** An option that would be ignored is one that somebody believes in. */
    private static void require(CleanupStep step, CleanupStep.Order order) {
        if (order.olderThan().isPresent() && !WITH_AGE.contains(step)) {
            throw usage("--older-than", WITH_AGE);
        }
        if (order.tenant().isPresent() && !WITH_TENANT.contains(step)) {
            throw usage("--tenant", WITH_TENANT);
        }
        if (order.orphans().isPresent() && step != CleanupStep.ORPHANS) {
            throw usage("--orphans", EnumSet.of(CleanupStep.ORPHANS));
        }
        if (order.remove() && step != CleanupStep.MISSING_BYTES) {
            throw usage("--remove", EnumSet.of(CleanupStep.MISSING_BYTES));
        }
    }

    private static Failure usage(String option, Set<CleanupStep> steps) {
        return new Failure("usage", option + " is for --step "
                + String.join(", --step ", steps.stream().map(Words::of).toList()), ExitCode.USAGE);
    }

    private boolean clean(CleanupStep step, CareAccess care, CleanupStep.Order order, JobWait wait)
            throws InterruptedException {
        LongWork<CleanupReport> work = care.clean(step, order);
        RunReport ended = wait.forEnd(work);
        CleanupReport report = work.result();
        if (on.json) {
            on.out().println(new CleanupText(report.counts()).addTo(new JsonObject().with("step", step)
                    .with("state", ended.state()).with("dryRun", report.dryRun())).with("details", report.details())
                    .with("problems", report.problems()).with("error", ended.error()));
        } else {
            print(step, report);
        }
        report.problems().forEach(problem -> on.say("not done: " + problem));
        if (ended.state() == JobState.FAILED && report.problems().isEmpty()) {
            on.say("not done: " + ended.error().orElse("nobody knows why"));
        }
        if (ended.state() == JobState.CANCELLED) {
            on.say("stopped before its end");
        }
        return ended.state() == JobState.DONE;
    }

    private void print(CleanupStep step, CleanupReport report) {
        if (report.dryRun()) {
            report.details().forEach(detail -> on.out().println("  " + detail));
        }
        Map<String, String> rows = new CleanupText(report.counts()).rows();
        Columns table = new Columns(report.dryRun() ? "WOULD BE CLEANED" : "CLEANED", "").right(1);
        rows.forEach(table::row);
        if (rows.isEmpty()) {
            on.out().println((step == CleanupStep.ALL ? "" : Words.of(step) + ": ") + "nothing to do");
        } else {
            table.print(on.out());
        }
    }

    private boolean compact(CareAccess care, JobWait wait) throws InterruptedException {
        LongWork<CompactionResult> work = care.compact(dryRun);
        RunReport ended = wait.forEnd(work);
        CompactionResult result = work.result();
        on.answer(result.databases() + (result.databases() == 1 ? " database, " : " databases, ")
                + (result.dryRun()
                        ? would(result)
                        : Sizes.of(result.sizeBefore()) + " before, "
                                + Sizes.of(result.sizeAfter()) + " after"),
                new JsonObject().with("step", COMPACT).with("state", ended.state())
                        .with("databases", result.databases()).with("sizeBefore", result.sizeBefore())
                        .with("sizeAfter", result.sizeAfter()).with("problems", result.problems())
                        .with("dryRun", result.dryRun()).with("unknown", result.unknown()));
        result.problems().forEach(problem -> on.say("not done: " + problem));
        return ended.state() == JobState.DONE;
    }

    private static String would(CompactionResult result) {
        return Sizes.of(result.sizeBefore()) + ", about " + Sizes.of(result.spaceReclaimed()) + " would be given back"
                + (result.unknown() == 0 ? "" : "; of " + result.unknown() + " it is known only afterwards");
    }
}
