package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolFiles;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class WorkCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void nameDirectory() throws IOException {
        data = directory.resolve("data");
        Files.createFile(directory.resolve("in"));
    }

    @Test
    void work_runsTheCommandForEachFile() throws Exception {
        put("one.txt", "two words.txt", "drei.txt");
        Ran work = work("--workers", "2", "--", "sh", "-c", "echo \"$(cat \"$1\") $ENTREPOT_NAME $ENTREPOT_ATTEMPT\"",
                "sh", "{}");
        assertThat(work.exit()).isZero();
        assertThat(work.out().lines()).containsExactlyInAnyOrder("text of one.txt one.txt 1",
                "text of two words.txt two words.txt 1", "text of drei.txt drei.txt 1");
        assertThat(work.err()).containsPattern("(?m)^completed  ").containsPattern("3 files in .*: 3 completed\n$");
        assertThat(Ran.pool(data, "ls").err()).isEqualTo("0 files, 0 B\n");
        assertThat(work("--", "true").err()).startsWith("0 files in ");
    }

    @Test
    void exitCode_saysWhatBecomesOfTheFile() throws Exception {
        put("fine.txt", "bad.txt", "worse.txt");
        Ran work = work("--keep", "--", "sh", "-c", "case $ENTREPOT_NAME in bad*) echo page 3 >&2; echo is torn >&2;"
                + " exit 1;; worse*) exit 65;; esac");
        assertThat(work.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(work.err()).contains("page 3\nis torn\n")
                .containsPattern("3 files in .*: 1 completed, 1 to be tried again, 1 given up\n$");
        Ran bad = Ran.pool(data, "ls", "--name", "bad*", "--json");
        assertThat(bad.out()).contains("\"attempts\":1", "\"lastError\":\"exit code 1: page 3\\u000ais torn\"");
        assertThat(Ran.pool(data, "ls", "--status", "permanently-failed").out()).contains("worse.txt");
        assertThat(Ran.pool(data, "ls", "--status", "completed").out()).contains("fine.txt");
    }

    @Test
    void work_whenTheVolumeGoesAway_putsFilesOffAndCountsNothing() throws Exception {
        put("one.txt", "two.txt");
        Path volume = data.resolve("files");
        Path away = data.resolve("away");
        Ran work = work("--", "sh", "-c", "mv '" + volume + "' '" + away + "'; exit 65");
        assertThat(work.exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(work.err()).containsPattern("(?m)^put-off  ").containsPattern("2 files in .*: 2 put off\n$");
        Files.move(away, volume);
        assertThat(Ran.pool(data, "ls", "--status", "pending", "--json").out().lines()).hasSize(2)
                .allMatch(line -> line.contains("\"attempts\":0,\"deliveries\":0"));
    }

    @Test
    void work_whenBytesAreGone_failsForGoodWithoutRunningTheCommand() throws Exception {
        put("one.txt");
        try (Pool pool = Pool.open(data)) {
            await().until(() -> pool.backlog().redo() == 0); // or it would be written again
            Files.delete(pool.files().list(FileQuery.of(TenantId.DEFAULT)).files().getFirst().path().orElseThrow());
        }
        Ran work = work("--", "echo", "ran");
        assertThat(work.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(work.out()).isEmpty();
        assertThat(work.err()).containsPattern("1 file in .*: 1 given up\n$").contains("its bytes are gone");
    }

    @Test
    void exitCode75_givesTheFileBackAndStops() throws Exception {
        put("one.txt", "two.txt");
        Ran work = work("--", "sh", "-c", "exit 75");
        assertThat(work.exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(work.err()).containsPattern("1 file in .*: 1 given back\n$");
        assertThat(Ran.pool(data, "ls", "--status", "pending", "--json").out().lines()).hasSize(2)
                .allMatch(line -> line.contains("\"attempts\":0,\"deliveries\":0"));
    }

    @Test
    void command_whenItCannotBeRun_costsTheFileNothing() throws Exception {
        put("one.txt");
        Ran work = work("--", directory.resolve("none").toString());
        assertThat(work.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(work.err()).contains("entrepot: work.cannot-run: ");
        assertThat(Ran.pool(data, "ls", "--status", "pending", "--json").out()).contains("\"attempts\":0");
    }

    @Test
    void once_takesOneFile() throws Exception {
        put("one.txt", "two.txt");
        assertThat(work("--once", "--", "true").err()).startsWith("completed ").contains("1 file in");
        assertThat(work("--once", "--", "true").exit()).isZero();
        assertThat(work("--once", "--", "true").exit()).isEqualTo(ExitCode.NOTHING);
    }

    @Test
    void idle_waitsForTheNextAttempt() throws Exception {
        put("one.txt");
        Ran.pool(data, "tenants", "retry", "default", "--initial", "100ms", "--fixed");
        Path marker = directory.resolve("marker");
        Ran work = work("--idle", "1s", "--", "sh", "-c", "[ -e " + marker + " ] || { touch " + marker + "; exit 1; }");
        assertThat(work.err()).containsPattern("2 files in .*: 1 completed, 1 to be tried again");
    }

    @Test
    void timeout_endsTheCommandAndFailsTheFile() throws Exception {
        put("one.txt");
        Ran work = work("--timeout", "200ms", "--", "sleep", "600");
        assertThat(work.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(Ran.pool(data, "ls", "--json").out()).contains("\"lastError\":\"took too long\"");
    }

    @Test
    void lease_isRenewedWhileTheCommandRuns() throws Exception {
        put("one.txt");
        Ran work = work("--term", "400ms", "--json", "--", "sleep", "1");
        assertThat(work.out().lines()).hasSize(3);
        assertThat(work.out()).containsSubsequence("{\"event\":\"started\",", "\"attempt\":1",
                "{\"event\":\"completed\",",
                "{\"event\":\"summary\",\"files\":1,\"completed\":1,\"kept\":0,\"retrying\":0,");
    }

    @Test
    void lease_whenItIsLost_endsTheCommand() throws Exception {
        put("one.txt");
        Path pid = directory.resolve("pid");
        WorkLog log = new WorkLog(quiet());
        WorkSettings settings = new WorkSettings(TenantId.DEFAULT, "w", List.of("sh", "-c",
                "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 600"), false, true,
                Optional.of(Duration.ZERO), Duration.ofMillis(300), Optional.empty(), PATIENCE);
        try (Pool pool = Pool.open(data)) {
            WorkRun run = new WorkRun(pool, settings, log);
            CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
                try {
                    run.run(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> Files.exists(pid));
            ProcessHandle command = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
            var key = pool.files().list(FileQuery.of(TenantId.DEFAULT)).files().getFirst().key();
            pool.work().reset(TenantId.DEFAULT, key);
            running.get(30, TimeUnit.SECONDS);
            await().until(() -> !command.isAlive());
            assertThat(log.allWell()).isFalse();
            assertThat(pool.work().status(TenantId.DEFAULT, key)).isEqualTo(FileStatus.PENDING);
        }
    }

    @Test
    void termination_letsTheCommandEnd() throws Exception {
        put("one.txt");
        Path started = directory.resolve("started");
        Path go = directory.resolve("go");
        ChildCommand child = ChildCommand.start(directory, "work", "--data", data.toString(), "--wait", "--", "sh",
                "-c",
                "touch " + started + "; until [ -e " + go + " ]; do sleep 0.05; done");
        await().atMost(PATIENCE).until(() -> Files.exists(started));
        child.process().destroy();
        await().atMost(PATIENCE).until(() -> child.errText().contains("stopping: "));
        Files.createFile(go);
        assertThat(child.exit()).isEqualTo(143);
        assertThat(child.errText()).containsPattern("1 file in .*: 1 completed\n$");
        assertThat(Ran.pool(data, "ls").err()).isEqualTo("0 files, 0 B\n");
    }

    @Test
    void termination_whenTheCommandGoesOn_givesTheFileBack() throws Exception {
        put("one.txt");
        Path started = directory.resolve("started");
        ChildCommand child = ChildCommand.start(directory, "work", "--data", data.toString(), "--grace", "100ms", "--",
                "sh", "-c", "touch " + started + "; sleep 600");
        await().atMost(PATIENCE).until(() -> Files.exists(started));
        child.process().destroy();
        assertThat(child.exit()).isEqualTo(143);
        assertThat(child.errText()).containsPattern("1 file in .*: 1 given back\n$");
        assertThat(Ran.pool(data, "ls", "--status", "pending", "--json").out())
                .contains("\"attempts\":0,\"deliveries\":0");
    }

    /** As of Ctrl-C, which a terminal sends to all: nobody knows who hears it first. */
    @Test
    void termination_whenTheCommandHearsOfItFirst_givesTheFileBack() throws Exception {
        put("one.txt");
        ChildCommand child = ChildCommand.start(directory, "work", "--data", data.toString(), "--", "sh", "-c",
                "(sleep 0.3; kill -TERM $PPID) >/dev/null 2>&1 & kill -TERM $$");
        assertThat(child.exit()).isEqualTo(143);
        assertThat(child.errText()).containsPattern("1 file in .*: 1 given back\n$");
        assertThat(Ran.pool(data, "ls", "--status", "pending", "--json").out())
                .contains("\"attempts\":0,\"deliveries\":0");
    }

    @Test
    void work_whenAFileIsRemovedBeforeItIsRead_goesOnWithOthers() throws Exception {
        put("one.txt", "two.txt");
        WorkLog log = new WorkLog(quiet());
        try (Pool pool = Pool.open(data)) {
            AtomicBoolean removed = new AtomicBoolean();
            WorkRun run = new WorkRun(whenOpened(pool, key -> {
                if (removed.compareAndSet(false, true)) {
                    pool.files().delete(TenantId.DEFAULT, key, "not wanted");
                }
            }), untilNothingIsLeft("true"), log);
            run.run(1);
            assertThat(run.failure()).isEmpty();
            assertThat(log.files()).as("one lost, one completed").isEqualTo(2);
            assertThat(pool.files().list(FileQuery.of(TenantId.DEFAULT)).files()).isEmpty();
        }
    }

    @Test
    void work_whenTheServerIsAwayAsAFileIsRead_putsItOffAndGoesOn() throws Exception {
        put("one.txt", "two.txt");
        WorkLog log = new WorkLog(quiet());
        try (Pool pool = Pool.open(data)) {
            AtomicBoolean refused = new AtomicBoolean();
            WorkRun run = new WorkRun(whenOpened(pool, _ -> {
                if (refused.compareAndSet(false, true)) {
                    throw new PoolUnavailableException("unreachable", Advice.RETRY, "the server cannot be reached",
                            null);
                }
            }), untilNothingIsLeft("true"), log);
            run.run(1);
            assertThat(run.failure()).isEmpty();
            assertThat(log.putOffSome()).isTrue();
            assertThat(pool.files().list(FileQuery.of(TenantId.DEFAULT)).files()).singleElement()
                    .satisfies(file -> assertThat(file.attempts()).isZero());
        }
    }

    private static WorkSettings untilNothingIsLeft(String... command) {
        return new WorkSettings(TenantId.DEFAULT, "w", List.of(command), false, false, Optional.of(Duration.ZERO),
                PATIENCE, Optional.empty(), PATIENCE);
    }

    /** The pool, with something that happens whenever a file is about to be opened. */
    private static FilePool whenOpened(FilePool pool, Consumer<FileKey> before) {
        PoolFiles files = passing(PoolFiles.class, pool.files(), "open", args -> {
            before.accept((FileKey) args[1]);
            return Optional.empty();
        });
        return passing(FilePool.class, pool, "files", _ -> Optional.of(files));
    }

    /** Everything goes to the original, but for one method if there is an answer for it. */
    private static <T> T passing(Class<T> type, T to, String name, Function<Object[], Optional<Object>> answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (_, method, args) -> {
            Optional<Object> own = method.getName().equals(name) ? answer.apply(args) : Optional.empty();
            try {
                return own.isPresent() ? own.get() : method.invoke(to, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void standardInputAndOutput_carryBytes() throws Exception {
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        Files.write(directory.resolve("in"), bytes);
        ChildCommand put = ChildCommand.start(directory, "pool", "put", "-", "--name", "noise.bin", "--data",
                data.toString());
        assertThat(put.exit()).isZero();
        String key = Files.readString(put.out(), StandardCharsets.UTF_8).split(" ", 2)[0];
        ChildCommand get = ChildCommand.start(directory, "pool", "get", key, "--verify", "--data", data.toString());
        assertThat(get.exit()).isZero();
        assertThat(Files.readAllBytes(get.out())).isEqualTo(bytes);
        assertThat(get.errText()).isEmpty();
    }

    @Test
    void badInput_isAUsageError() throws Exception {
        put("one.txt");
        for (List<String> bad : List.of(List.<String>of(), List.of("--workers", "0", "--", "true"),
                List.of("--once", "--workers", "2", "--", "true"), List.of("--wait", "--idle", "1s", "--", "true"),
                List.of("--term", "long", "--", "true"))) {
            assertThat(work(bad.toArray(String[]::new)).exit()).as("%s", bad).isEqualTo(ExitCode.USAGE);
        }
        assertThat(work("--tenant", "nobody", "--", "true").exit()).isEqualTo(ExitCode.REFUSED);
    }

    private void put(String... names) throws Exception {
        try (Pool pool = Pool.open(data)) {
            for (String name : names) {
                pool.files().write(TenantId.DEFAULT, NewFile.named(name),
                        ("text of " + name).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static OnPool quiet() {
        OnPool on = new OnPool();
        on.spec = new CommandLine(CommandSpec.create()).getCommandSpec();
        on.spec.commandLine().setErr(new PrintWriter(Writer.nullWriter()));
        return on;
    }

    private Ran work(String... args) {
        List<String> all = new ArrayList<>(List.of("work", "--data", data.toString()));
        all.addAll(List.of(args));
        return Ran.command(all.toArray(String[]::new));
    }
}
