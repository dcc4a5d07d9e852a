package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.RecoveryProgress;
import io.entrepot.pool.TenantId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How far a recovery is can be seen, and it can be stopped and gone on with. */
class RecoveryWaitTest {
    private static final int SIGTERM = 128 + 15;
    private static final int FILES = 3000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Command
    private static final class Some implements Callable<Integer> {
        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli
        OnPool on;

        @Override
        public Integer call() {
            return ExitCode.OK;
        }
    }

    @Test
    void at_offATerminal_saysNowAndThenHowFarItIs() throws Exception {
        StringWriter err = new StringWriter();
        Some some = new Some();
        new CommandLine(some).setErr(new PrintWriter(err)).execute();
        AtomicLong nanos = new AtomicLong();
        try (RecoveryWait wait = new RecoveryWait(some.on, nanos::get, false)) {
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            wait.at(new RecoveryProgress("the database", 0, 0, 0));
            for (long file = 1; file <= 30; file++) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                wait.at(new RecoveryProgress("volume main", file, file / 2, 1024 * file));
            }
        }
        assertThat(err.toString().lines()).containsExactly("the database",
                "volume main: 10 files looked at, 5 rebuilt with 10 KiB",
                "volume main: 20 files looked at, 10 rebuilt with 20 KiB",
                "volume main: 30 files looked at, 15 rebuilt with 30 KiB");
    }

    @Test
    void at_whenItIsStopped_endsWhatItWatches() {
        Some some = new Some();
        new CommandLine(some).execute();
        try (RecoveryWait wait = new RecoveryWait(some.on, () -> 0, false)) {
            wait.stop();
            assertThatThrownBy(() -> wait.at(new RecoveryProgress("volume main", 1, 0, 0)))
                    .isInstanceOf(InterruptedException.class);
            assertThat(wait.isStopped()).isTrue();
        }
    }

    @Test
    void recover_whenASignalEndsIt_isGoneOnWithByTheSameCommand() throws Exception {
        Path data = directory.resolve("data");
        Files.createFile(directory.resolve("in"));
        try (Pool pool = Pool.open(data)) {
            for (int i = 0; i < FILES; i++) {
                pool.files().write(TenantId.DEFAULT, NewFile.unnamed(), new byte[]{(byte) i});
            }
        }
        Files.writeString(data.resolve("entrepot.db"), "no database at all");

        ChildCommand recover = ChildCommand.start(directory, "pool", "recover", "--data", data.toString());
        Path begun = data.resolve("entrepot.recovering");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(begun) || !recover.process().isAlive());
        recover.process().destroy();

        if (recover.exit() == SIGTERM && Files.exists(begun)) { // else it was quicker than the signal
            assertThat(recover.errText()).contains("stopped before its end", "run the same command again");
            assertThat(Ran.pool(data, "recover").exit()).isZero();
        }
        assertThat(begun).doesNotExist();
        assertThat(Ran.pool(data, "ls", "--status", "held").err()).startsWith(FILES + " files");
        assertThat(Ran.pool(data, "check", "--deep").exit()).isZero();
        try (Stream<Path> aside = Files.list(data)) {
            List<Path> damaged = aside.filter(path -> path.getFileName().toString().startsWith("damaged-")).toList();
            assertThat(damaged).as("it was one recovery").hasSize(1);
        }
    }
}
