package io.entrepot.cli;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mends what is damaged. */
@Command(name = "recover", description = {"Recover a database that is damaged or gone.",
        "It is set aside, restored from the newest backup that can be used, and completed by what the files on the volumes"
                + " carry. Files that are known from nowhere else are held: see 'unhold'. One that is sound is left alone.",
        "Ctrl-C stops it between two files; the same command goes on with it."})
final class RecoverCommand implements Callable<Integer> {
    private static final String ALONE = "a database is recovered while nobody has it: stop the server, and start it again"
            + " after; a single tenant's own database is recovered by POST /v1/tenants/NAME/recover";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--backups", paramLabel = "DIR", description = "A backup, or a directory with some.")
    @Nullable
    Path backups;

    @Override
    public Integer call() throws InterruptedException {
        PoolConfig config = OnPool.quiet(on.configOfOurs("a database is recovered while no server runs"));
        if (!Files.isDirectory(config.directory())) {
            throw new Failure("no-data", config.directory() + " is not there; name a data directory with --data");
        }
        if (backups != null && !Files.isDirectory(backups)) {
            throw new Failure("no-such-file", backups + " is not a directory with backups");
        }
        PoolConfig rebuilding = backups == null
                ? config
                : config.withRecovery(Recovery.REBUILD.withBackups(backups));
        try (RecoveryWait wait = new RecoveryWait(on)) {
            try {
                tell(Reach.alone(rebuilding, ALONE, there -> Pool.recover(there, wait)));
                return ExitCode.OK;
            } catch (InterruptedException e) {
                if (wait.isStopped()) {
                    return wait.told();
                }
                throw e;
            }
        }
    }

    private void tell(List<RecoveryReport> reports) {
        reports.forEach(report -> new RecoveryText(report).print(on));
        if (reports.isEmpty()) {
            on.say("all databases are sound: nothing was changed");
        }
    }
}
