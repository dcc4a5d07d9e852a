package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.job.Schedule;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the pool does in the background, to be seen and to be done now. */
@Command(name = "jobs", addMethodSubcommands = false, description = "See and run what the pool does in the background.")
final class JobsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = {"All jobs, how often each runs while a process has the pool open, and how it is.",
            "What ran before is known of a server's; what is opened for this command has run nothing."})
    int list(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = new Columns("JOB", "RUNS", "STATE", "ENDED", "");
            for (JobStatus job : pool.jobs().list()) {
                table.row(job.name(), text(job.schedule()), Words.of(job.state()) + (job.paused() ? ", paused" : ""),
                        job.run().flatMap(RunReport::ended).map(Times::of).orElse("-"),
                        job.run().map(JobsCommand::outcome).orElse(""));
                if (on.json) {
                    on.out().println(new JsonObject().with("job", job.name()).with("schedule", text(job.schedule()))
                            .with("state", job.state()).with("paused", job.paused())
                            .with("started", job.run().map(RunReport::started))
                            .with("ended", job.run().flatMap(RunReport::ended))
                            .with("result", job.run().flatMap(RunReport::result))
                            .with("error", job.run().flatMap(RunReport::error)));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = "Run a job now and wait for it; Ctrl-C stops it. Exit code 1 if it fails.")
    int run(@Mixin OnPool on, @Parameters(paramLabel = "JOB", description = "As list prints it.") String name,
            @Option(names = "--dry-run",
                    description = "Only say what would be done. Refused if the job cannot.") boolean dryRun)
            throws InterruptedException {
        JobName job = new JobName(name);
        try (JobWait wait = new JobWait(on);
                PoolAccess pool = dryRun ? on.reachExistingQuietly() : on.reachExisting()) {
            return told(on, job, wait.forEnd(pool.jobs().run(job, dryRun)));
        }
    }

    private static int told(OnPool on, JobName job, RunReport report) {
        on.answer(report.result().or(report::error).orElse(Words.of(report.state())),
                new JsonObject().with("job", job).with("state", report.state()).with("result", report.result())
                        .with("error", report.error()).with("started", report.started())
                        .with("ended", report.ended()));
        return report.state() == JobState.DONE ? ExitCode.OK : ExitCode.FAILED;
    }

    /** What came of it, or how far it is. */
    private static String outcome(RunReport run) {
        return run.result().or(run::error).orElse(run.progress().text());
    }

    private static String text(Schedule schedule) {
        return switch (schedule) {
            case Schedule.Every(_, Duration interval) -> "every " + Times.of(interval);
            case Schedule.ByHand() -> "by hand";
        };
    }
}
