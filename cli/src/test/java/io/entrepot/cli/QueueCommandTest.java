package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueCommandTest {
    @TempDir
    Path directory;

    private String out = "";
    private String err = "";

    @Test
    void item_goesThroughItsLife() {
        assertThat(run("queue", "put", "acme/files", "one.pdf", "--key", "k")).isZero();
        assertThat(out).isEqualTo("acme/1\n");
        run("queue", "put", "acme/files", "one.pdf", "--key", "k");
        assertThat(out).startsWith("acme/1 ").contains("was there already");

        assertThat(run("queue", "claim", "acme/files", "--worker", "w1")).isZero();
        String lease = out.substring(0, out.indexOf(' '));
        assertThat(out).endsWith("  one.pdf\n");
        assertThat(run("queue", "claim", "acme/files")).isEqualTo(ExitCode.NOTHING);

        run("queue", "ls", "acme/files", "--state", "HELD");
        assertThat(out).contains("acme/1", "held", "w1");
        assertThat(run("queue", "finish", lease)).isZero();
        assertThat(out).isEqualTo("finished\n");
        run("queue", "finish", lease);
        assertThat(out).contains("had ended so before");
        run("queue", "history", "acme/1");
        assertThat(out).contains("put", "claimed", "finished", "w1");
        run("queue", "status", "acme");
        assertThat(out).containsPattern("acme/files +0 +0 +0 +0 +0");
    }

    @Test
    void ending_whenLeaseIsNotCurrent_isRefusedInOneLine() {
        run("queue", "put", "acme/files", "one.pdf");
        assertThat(run("queue", "finish", "acme/1@1-00000000000000ff")).isEqualTo(ExitCode.LEASE_LOST);
        assertThat(err).startsWith("entrepot: lease.lost: ").hasLineCount(1);
    }

    @Test
    void operator_pausesResetsAndRetries() throws Exception {
        run("queue", "put", "acme/files", "one.pdf");
        run("queue", "claim", "acme/files");
        run("queue", "fail", out.substring(0, out.indexOf(' ')), "--for-good", "--error", "torn");
        run("queue", "ls", "acme/files");
        assertThat(out).contains("dead", "torn");
        run("queue", "retry-dead", "acme/files");
        assertThat(out).startsWith("1 items");
        run("queue", "pause", "acme/files");
        assertThat(run("queue", "claim", "acme/files")).isEqualTo(ExitCode.NOTHING);
        run("queue", "resume", "acme/files");
        assertThat(run("queue", "claim", "acme/files")).isZero();
        run("queue", "reset", "acme/1");
        assertThat(run("queue", "claim", "acme/files")).isZero();
    }

    @Test
    void store_isCheckedBackedUpRestoredAndCompacted() {
        run("queue", "put", "acme/files", "one.pdf");
        assertThat(run("store", "check")).isZero();
        assertThat(out).startsWith("sound, incarnation 1:");
        Path backup = directory.resolve("backup");
        assertThat(run("store", "backup", backup.toString())).isZero();
        assertThat(run("store", "compact")).isZero();
        assertThat(out).contains("RECLAIMED");
        assertThat(run("store", "restore", backup.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err).contains("store.refused", "already");
        assertThat(runOn(directory.resolve("restored"), "store", "restore", backup.toString())).isZero();
        runOn(directory.resolve("restored"), "store", "check");
        assertThat(out).startsWith("sound, incarnation 2:");
    }

    @Test
    void command_whenDirectoryIsNotThere_makesNone() {
        assertThat(run("queue", "status", "acme")).isEqualTo(ExitCode.FAILED);
        assertThat(err).startsWith("entrepot: no-data: ");
        assertThat(Files.exists(directory.resolve("data"))).isFalse();
    }

    @Test
    void badInput_isAUsageError() {
        for (List<String> bad : List.of(List.of("put", "Acme/files", "x"), List.of("put", "acme", "x"),
                List.of("put", "acme/files", "x", "--priority", "5000"),
                List.of("put", "acme/files", "x", "--delay", "soon"),
                List.of("finish", "nonsense"), List.of("ls", "acme/files", "--limit", "0"))) {
            List<String> args = new ArrayList<>(List.of("queue"));
            args.addAll(bad);
            run("queue", "put", "acme/files", "there");
            assertThat(run(args.toArray(String[]::new))).as("%s", bad).isEqualTo(ExitCode.USAGE);
            assertThat(err).as("%s", bad).startsWith("entrepot: usage: ").doesNotContain("Exception");
        }
    }

    private int run(String... args) {
        return runOn(directory.resolve("data"), args);
    }

    private int runOn(Path data, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--data");
        all.add(data.toString());
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exit = new Main(new PrintWriter(outText), new PrintWriter(errText), false, Commands.all())
                .run(all.toArray(String[]::new));
        out = outText.toString();
        err = errText.toString();
        return exit;
    }
}
