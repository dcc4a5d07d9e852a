package io.entrepot.cli;

import io.entrepot.cli.access.LongWork;
import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.job.JobState;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks whether everything is as it should be. */
@Command(name = "check", description = {"Look whether all is well; changes nothing.",
        "Databases, and whether what they say fits together; by request also the files. Exit code 1 if something is wrong.",
        "A database that cannot be opened is mended by 'entrepot pool recover', counters by 'entrepot pool quota recount'."})
final class CheckCommand implements Callable<Integer> {
    private static final int TOLD = 20;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--files", description = "Also whether each file's bytes are there, as many as there should be.")
    boolean files;

    @Option(names = "--deep", description = "Also whether they are those that were written: reads everything.")
    boolean deep;

    @Override
    public Integer call() throws InterruptedException {
        try (JobWait wait = new JobWait(on); PoolAccess pool = on.reachExisting()) {
            LongWork<CheckReport> work = pool.care().check(deep
                    ? CheckDepth.BYTES
                    : files ? CheckDepth.FILES : CheckDepth.BOOKS);
            if (wait.forEnd(work).state() == JobState.CANCELLED) {
                on.say("stopped before its end");
                return ExitCode.FAILED;
            }
            return told(work.result());
        }
    }

    private int told(CheckReport report) {
        Columns table = new Columns("WHAT", "LOOKED AT", "PROBLEMS").right(1, 2);
        for (CheckReport.Part part : report.parts()) {
            table.row(part.what(), part.looked(), part.found());
            if (on.json) {
                on.out().println(new JsonObject().with("what", part.what()).with("looked", part.looked())
                        .with("found", part.found()).with("problems", part.problems()));
            }
        }
        on.print(table);
        report.problems().stream().limit(TOLD).forEach(on::say);
        if (report.problems().size() > TOLD) {
            on.say("and " + (report.problems().size() - TOLD) + " more; --json lists them");
        }
        return report.sound() ? ExitCode.OK : ExitCode.FAILED;
    }
}
