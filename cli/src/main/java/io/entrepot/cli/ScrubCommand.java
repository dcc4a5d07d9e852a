package io.entrepot.cli;

import io.entrepot.cli.access.LongWork;
import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.ScrubReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads all files. */
@Command(name = "scrub", description = {"Read all files and compare them with their checksums.",
        "As fast as the configuration allows; Ctrl-C ends it, and 'pool scrub --resume' goes on with it. Also done by itself"
                + " now and then. Exit code 1 if a file is damaged or could not be read."})
final class ScrubCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--resume", description = "Go on with one that was cut short, if there is one.")
    boolean resume;

    @Override
    public Integer call() throws InterruptedException {
        try (JobWait wait = new JobWait(on); PoolAccess pool = on.reachExisting()) {
            LongWork<ScrubReport> work = pool.care().scrub(resume);
            var _ = wait.forEnd(work);
            return told(work.result());
        }
    }

    private int told(ScrubReport report) {
        Columns table = new Columns("DAMAGED", "TENANT", "VOLUME", "WHY");
        report.damage().forEach(one -> table.row(one.key(), one.tenant(), one.volume(), one.why()));
        if (on.json) {
            on.out().println(new JsonObject().with("files", report.files()).with("bytes", report.bytes())
                    .with("damaged", report.damaged())
                    .with("damage", report.damage().stream().map(one -> new JsonObject().with("tenant", one.tenant())
                            .with("key", one.key()).with("volume", one.volume()).with("why", one.why()).fields())
                            .toList())
                    .with("problems", report.problems()).with("complete", report.complete())
                    .with("started", report.started()).with("ended", report.ended()));
        } else if (report.damaged() > 0) {
            table.print(on.out());
        }
        on.say(report.files() + " files, " + Sizes.of(report.bytes()) + " read" + (report.complete() ? "" : ", not all")
                + ": " + (report.damaged() == 0 ? "no damage" : report.damaged() + " damaged"));
        report.problems().forEach(problem -> on.say("not read: " + problem));
        return report.damaged() == 0 && report.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
