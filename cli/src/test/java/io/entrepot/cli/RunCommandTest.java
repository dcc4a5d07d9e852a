package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SIGTERM = 128 + 15;

    @TempDir
    Path directory;

    private Path data;
    private Path inbox;

    @BeforeEach
    void addWatcher() throws IOException {
        data = directory.resolve("data");
        inbox = directory.resolve("inbox");
        Files.createFile(directory.resolve("in"));
        Ran.pool(data, "watchers", "add", "inbox", inbox.toString(), "--min-age", "50ms");
    }

    @Test
    void run_importsWhatComesAndEndsCleanlyOnASignal() throws Exception {
        ChildCommand run = start();
        drop(run, "one.txt");
        Ran other = Ran.pool(data, "ls");
        assertThat(other.exit()).as("one process has the data").isEqualTo(ExitCode.UNAVAILABLE);
        run.process().destroy();
        assertThat(run.exit()).isEqualTo(SIGTERM);
        assertThat(Files.readString(run.out())).containsPattern("imported  [0-9a-f]{32}  default  inbox: one.txt\n")
                .hasLineCount(1);
        assertThat(run.errText()).containsPattern("(?s)^open: watching inbox \\(.*ran for .*: 1 file, 13 B imported")
                .hasLineCount(2);
        assertThat(Ran.pool(data, "check", "--deep").exit()).isZero();
    }

    @Test
    void run_whenItIsKilled_leavesNothingBehindThatMatters() throws Exception {
        ChildCommand run = start();
        drop(run, "one.txt");
        run.process().destroyForcibly();
        run.exit();
        assertThat(Ran.pool(data, "watchers", "scan").exit()).isZero();
        assertThat(Ran.pool(data, "ls", "--json").out()).contains("one.txt").hasLineCount(1);
        assertThat(Ran.pool(data, "check", "--deep").exit()).isZero();
    }

    @Test
    void run_forAWhile_endsWithASummary() {
        Ran run = Ran.pool(data, "run", "--for", "300ms", "--json");
        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("{\"type\":\"summary\",\"imported\":0,");
        assertThat(Ran.pool(data, "run", "--for", "long").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(Ran.pool(directory.resolve("none"), "run").err()).startsWith("entrepot: no-data: ").hasLineCount(1);
    }

    @Test
    void run_whenNobodyListens_ends() throws Exception {
        Files.writeString(inbox.resolve("one.txt"), "one");
        StringWriter err = new StringWriter();
        int exit = new Main(new PrintWriter(new ClosedPipe()), new PrintWriter(err), false, Commands.all())
                .run("pool", "run", "--data", data.toString());
        assertThat(exit).isZero();
        assertThat(err.toString()).doesNotContain("entrepot: ");
    }

    private ChildCommand start() throws IOException {
        ChildCommand run = ChildCommand.start(directory, "pool", "run", "--data", data.toString());
        await().atMost(PATIENCE).until(() -> run.errText().contains("open: watching"));
        return run;
    }

    /** Returns when it was imported and told. */
    private void drop(ChildCommand run, String name) throws IOException {
        Path hidden = Files.writeString(inbox.resolve("." + name), "in " + name + " it");
        Files.move(hidden, inbox.resolve(name));
        await().atMost(PATIENCE).until(() -> Files.readString(run.out()).contains(name));
        await().atMost(PATIENCE).until(() -> !Files.exists(inbox.resolve(name)));
    }
}
