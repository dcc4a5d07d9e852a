package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanCommandTest {
    @TempDir
    Path directory;

    private String out = "";
    private String err = "";

    @BeforeEach
    void makeTree() throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        Files.write(directory.resolve("a/b/one.txt"), new byte[5]);
        Files.write(directory.resolve("a/t\two\n.tmp"), new byte[7]);
        Files.createSymbolicLink(directory.resolve("a/link"), Path.of("b"));
    }

    @Test
    void scan_printsTotals() {
        assertThat(run("scan", directory.toString())).isZero();
        assertThat(out).startsWith("2 files, 12 bytes\n2 directories, 1 symlinks, 0 others\nin ").contains("entries/s");
        assertThat(err).isEmpty();
    }

    @Test
    void list_printsALineForEachEntry() {
        assertThat(run("scan", directory.toString(), "--list")).isZero();
        assertThat(out).containsPattern("(?m)^f +5 \\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z +a/b/one.txt$")
                .containsPattern("(?m)^d +\\d+ .* a/b$").containsPattern("(?m)^l .* a/link$");
        assertThat(out).as("one line each, whatever the name").hasLineCount(5 + 3);
    }

    @Test
    void json_isOneObject() {
        assertThat(run("scan", directory.toString(), "--json")).isZero();
        assertThat(out).hasLineCount(1).startsWith("{\"whole\":true,\"cancelled\":false,\"files\":2,\"directories\":2,"
                + "\"symlinks\":1,\"others\":0,\"bytes\":12,").contains("\"problems\":[]}");
    }

    @Test
    void jsonWithList_isOneObjectPerLine() {
        assertThat(run("scan", directory.toString(), "--json", "--list")).isZero();
        assertThat(out.lines()).hasSize(6).allMatch(line -> line.startsWith("{") && line.endsWith("}"))
                .anyMatch(line -> line
                        .startsWith("{\"path\":\"a/b/one.txt\",\"type\":\"file\",\"size\":5,\"mtime\":\"2"));
    }

    @Test
    void filters_leaveOutAndSaySo() {
        run("scan", directory.toString(), "--list", "--include", "*.txt");
        assertThat(out).contains("a/b/one.txt", "2 left out").doesNotContain("tmp");
        run("scan", directory.toString(), "--exclude", "a/b");
        assertThat(out).contains("1 files, 7 bytes", "1 left out");
        run("scan", directory.toString(), "--prune", "b");
        assertThat(out).contains("1 files", "1 directories not entered");
        run("scan", directory.toString(), "--depth", "1");
        assertThat(out).contains("0 files", "1 directories");
    }

    @Test
    void scan_whenTheDirectoryIsALink_followsIt() {
        assertThat(run("scan", directory.resolve("a/link").toString())).isZero();
        assertThat(out).startsWith("1 files, 5 bytes");
    }

    @Test
    void scan_whenThereIsNoSuchDirectory_saysSo() {
        assertThat(run("scan", directory.resolve("none").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err).startsWith("entrepot: scan.no-such-directory: ").hasLineCount(1);
        assertThat(run("scan", directory.resolve("a/b/one.txt").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err).startsWith("entrepot: scan.not-a-directory: ").hasLineCount(1);
    }

    @Test
    void list_whenNobodyReadsIt_ends() {
        StringWriter e = new StringWriter();
        assertThat(new Main(new PrintWriter(new ClosedPipe()), new PrintWriter(e), false, Commands.all())
                .run("scan", directory.toString(), "--list", "--threads", "1")).isEqualTo(ExitCode.FAILED);
        assertThat(e.toString()).contains("scan.cancelled");
    }

    @Test
    void scan_whenAnOptionIsWrong_isWrongUsage() {
        assertThat(run("scan", directory.toString(), "--threads", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run("scan", directory.toString(), "--include", "[")).isEqualTo(ExitCode.USAGE);
        assertThat(err).contains("bracket");
        assertThat(run("scan")).isEqualTo(ExitCode.USAGE);
    }

    private int run(String... line) {
        StringWriter o = new StringWriter();
        StringWriter e = new StringWriter();
        int exit = new Main(new PrintWriter(o), new PrintWriter(e), false, Commands.all()).run(line);
        out = o.toString();
        err = e.toString();
        return exit;
    }
}
