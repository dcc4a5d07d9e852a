package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void watch_saysHowItWatchesAndPrintsFacts() throws Exception {
        Files.createDirectories(directory.resolve("a/b"));
        CompletableFuture<Integer> exit = start("watch", directory.toString(), "--for", "5s");
        await().until(() -> err.toString().contains("3 directories are watched, all of them"));
        assertThat(err.toString()).startsWith("notification works here (");
        Files.writeString(directory.resolve("a/b/new\nline"), "text");
        await().until(() -> out.toString().contains("closed"));
        assertThat(out.toString()).containsPattern("closed +4  a/b/new\\\\x0aline\n");
        assertThat(exit.get()).isZero();
        assertThat(err.toString()).containsPattern("\\d+ facts in \\d+ s\n");
    }

    @Test
    void watch_asJson_isOneObjectALine() throws Exception {
        CompletableFuture<Integer> exit = start("watch", directory.toString(), "--json", "--for", "4s");
        await().until(() -> err.toString().contains("is watched"));
        Files.writeString(directory.resolve("quote\"back\\slash"), "text");
        await().until(() -> out.toString().contains("\"cause\":\"closed\""));
        Files.delete(directory.resolve("quote\"back\\slash"));
        await().until(() -> out.toString().contains("absent"));
        assertThat(exit.get()).isZero();
        assertThat(out.toString().lines()).allMatch(line -> line.startsWith("{\"at\":\"") && line.endsWith("}"))
                .anyMatch(line -> line.contains("\"type\":\"file\",\"size\":4,\"links\":1,\"inode\":"));
    }

    @Test
    void watch_withLimit_saysWhatIsLeftAndWhatWouldBeNeeded() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        assertThat(start("watch", directory.toString(), "--limit", "10", "--for", "1ms").get()).isZero();
        assertThat(err.toString()).contains("10 of 21 directories are watched (limit 10), 11 are left to scans",
                "raise the limit to 21");
    }

    @Test
    void watch_byPolling_printsFactsToo() throws Exception {
        CompletableFuture<Integer> exit = start("watch", directory.toString(), "--poll", "10ms", "--for", "4s");
        await().until(() -> err.toString().contains("polling 1 directories"));
        Files.writeString(directory.resolve("file"), "text");
        await().until(() -> out.toString().contains("file"));
        assertThat(exit.get()).isZero();
    }

    @Test
    void watch_whenNobodyReadsIt_ends() throws Exception {
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(
                () -> new Main(new PrintWriter(new ClosedPipe()), new PrintWriter(err), false, Commands.all())
                        .run("watch", directory.toString()));
        await().until(() -> err.toString().contains("is watched"));
        Files.writeString(directory.resolve("file"), "text");
        assertThat(exit.get(30, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void watch_whenThereIsNothingToWatch_failsInOneLine() throws Exception {
        assertThat(start("watch", directory.resolve("none").toString()).get()).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("entrepot: scan.no-such-directory: ").hasLineCount(1);
        Files.writeString(directory.resolve("file"), "");
        assertThat(start("watch", directory.resolve("file").toString()).get()).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("entrepot: scan.not-a-directory: ");
    }

    @Test
    void badOption_isAUsageError() throws Exception {
        assertThat(start("watch", directory.toString(), "--limit", "0").get()).isEqualTo(ExitCode.USAGE);
        assertThat(start("watch", directory.toString(), "--for", "soon").get()).isEqualTo(ExitCode.USAGE);
        assertThat(start("watch", directory.toString(), "--poll", "0s").get()).isEqualTo(ExitCode.USAGE);
    }

    private CompletableFuture<Integer> start(String... args) {
        return CompletableFuture.supplyAsync(
                () -> new Main(new PrintWriter(out), new PrintWriter(err), false, Commands.all()).run(args));
    }
}
