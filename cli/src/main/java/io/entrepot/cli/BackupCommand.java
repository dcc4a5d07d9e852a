package io.entrepot.cli;

import io.entrepot.pool.Pool;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies the books. */
@Command(name = "backup", description = {"Write a copy of the database into a new directory, while others may work.",
        "The bytes of files are not in it: they are on their volumes, whose backup is the storage's business.",
        "Put back by 'entrepot pool restore'."})
final class BackupCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Parameters(paramLabel = "DIR", description = "Must not be there yet.")
    @SuppressWarnings("NullAway.Init") // required
    Path target;

    @Override
    public Integer call() throws InterruptedException {
        try (Pool pool = on.openExisting()) {
            pool.backup(target);
        }
        on.answer("written  " + target, new JsonObject().with("backup", target.toString()).with("written", true));
        return ExitCode.OK;
    }
}
