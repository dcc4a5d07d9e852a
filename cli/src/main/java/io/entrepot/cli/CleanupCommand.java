package io.entrepot.cli;

import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            description = "Only what is this tenant's: --step empty-directories, orphans.")
    @Nullable
    String tenant;

    @Option(names = "--orphans", paramLabel = "WHAT", description = "What to do with orphans: report, delete, import.")
    @Nullable
    String orphans;

    @Option(names = "--remove", description = "--step missing-bytes: take such files out of the books.")
    boolean remove;

    @Override
    public Integer call() throws InterruptedException {
        CleanupStep.Order order = new CleanupStep.Order(on.config().cleanup(), dryRun, age(),
                Optional.ofNullable(tenant).map(TenantId::new),
                Optional.ofNullable(orphans).map(text -> Words.parse(OrphanAction.class, text)), remove);
        List<String> wanted = steps.isEmpty() ? List.of(Words.of(CleanupStep.ALL)) : steps;
        wanted.stream().filter(step -> !step.equals(COMPACT)).forEach(step -> parse(step).require(order));
        if (dryRun && wanted.contains(COMPACT)) {
            throw new Failure("usage", "nobody knows before how much compacting brings: no --dry-run", ExitCode.USAGE);
        }
        boolean allWell = true;
        try (JobWait wait = new JobWait(on); Pool pool = on.openExisting()) {
            for (String step : wanted) {
                if (!wait.isStopped()) {
                    allWell &= step.equals(COMPACT)
                            ? compact(pool, wait)
                            : clean(parse(step), pool, order, wait);
                }
            }
        }
        return allWell ? ExitCode.OK : ExitCode.FAILED;
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

    private boolean clean(CleanupStep step, Pool pool, CleanupStep.Order order, JobWait wait)
            throws InterruptedException {
        CleanupRun<CleanupReport> run = step.start(pool.cleanup(), order);
        RunReport ended = wait.forEnd(run.job());
        CleanupReport report = run.await();
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

    private boolean compact(Pool pool, JobWait wait) throws InterruptedException {
        CleanupRun<CompactionResult> run = pool.cleanup().compact();
        RunReport ended = wait.forEnd(run.job());
        CompactionResult result = run.await();
        on.answer(result.databases() + (result.databases() == 1 ? " database, " : " databases, ")
                + Sizes.of(result.sizeBefore()) + " before, " + Sizes.of(result.sizeAfter()) + " after",
                new JsonObject().with("step", COMPACT).with("state", ended.state())
                        .with("databases", result.databases()).with("sizeBefore", result.sizeBefore())
                        .with("sizeAfter", result.sizeAfter()).with("problems", result.problems()));
        result.problems().forEach(problem -> on.say("not done: " + problem));
        return ended.state() == JobState.DONE;
    }
}
