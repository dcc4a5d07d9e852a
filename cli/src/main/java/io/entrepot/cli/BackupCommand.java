package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies the books. */
@Command(name = "backup", description = {"Write a copy of the database into a new directory, while others may work.",
        "The bytes of files are not in it: they are on their volumes, whose backup is the storage's business.",
        "Through a server it is written on the server's machine. Put back by 'entrepot pool restore'.",
        "Ctrl-C ends it; a server goes on."})
final class BackupCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Parameters(paramLabel = "DIR", description = "Must not be there yet.")
    @SuppressWarnings("NullAway.Init") // required
    Path target;

    @Override
    public Integer call() throws InterruptedException {
        try (JobWait wait = new JobWait(on); PoolAccess pool = on.reachExisting()) {
            Path there = pool.there(target);
            RunReport ended = wait.forEnd(pool.care().backup(there));
            if (ended.state() == JobState.RUNNING) {
                on.say("the server goes on with it: 'entrepot pool jobs list' says what came of it");
                return ExitCode.FAILED;
            }
            if (ended.state() != JobState.DONE) {
                throw new Failure("backup.not-written", there + ": " + ended.error().orElse("stopped before its end"));
            }
            on.answer("written  " + there, new JsonObject().with("backup", there.toString()).with("written", true));
        }
        return ExitCode.OK;
    }
}
