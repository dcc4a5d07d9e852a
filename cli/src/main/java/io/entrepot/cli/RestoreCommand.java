package io.entrepot.cli;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Puts a backup into the place of a database that is not there. */
@Command(name = "restore", description = {"Put a backup in the place of a database that is not there.",
        "Nothing is overwritten. Files that came after the backup are found on the volumes and held; those whose bytes are"
                + " gone are taken out; what was completed after it may be processed again.",
        "Ctrl-C stops it between two files; the same command goes on with it."})
final class RestoreCommand implements Callable<Integer> {
    private static final String ALONE = "a restore is done while nobody has the database: stop the server, and start it"
            + " again after";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Parameters(paramLabel = "BACKUP", description = "A directory that 'backup' has written.")
    @SuppressWarnings("NullAway.Init") // required
    Path backup;

    @Override
    public Integer call() throws InterruptedException {
        PoolConfig config = OnPool.quiet(on.configOfOurs("a restore is done while no server runs"));
        Reach.requireNoServer(config.directory(), ALONE); // else it would be told to move the database away
        try (RecoveryWait wait = new RecoveryWait(on)) {
            Pool.restore(backup, config);
            try (Pool pool = Pool.open(config, wait)) {
                pool.recoveries().forEach(report -> new RecoveryText(report).print(on));
                return ExitCode.OK;
            } catch (InterruptedException e) {
                if (wait.isStopped()) {
                    return wait.told();
                }
                throw e;
            }
        }
    }
}
