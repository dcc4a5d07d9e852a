package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watch folders by the command line. */
class PoolWatchersTest {
    @TempDir
    Path directory;

    private Path data;
    private Path inbox;

    @BeforeEach
    void nameDirectories() {
        data = directory.resolve("data");
        inbox = directory.resolve("inbox");
    }

    @Test
    void add_saysWhatBecomesOfFiles() {
        assertThat(pool("watchers", "add", "a", directory.resolve("a").toString()).err())
                .contains("while a process has the pool open", "then deleted").hasLineCount(1);
        assertThat(pool("watchers", "add", "b", directory.resolve("b").toString(), "--move",
                directory.resolve("done").toString()).err()).contains("then moved to " + directory.resolve("done"));
        assertThat(pool("watchers", "add", "c", directory.resolve("c").toString(), "--keep", "--disabled").err())
                .contains("when it is enabled", "then stay");
    }

    @Test
    void scan_importsWhatIsThereAndSaysWhatIsLeft() throws Exception {
        assertThat(add("--min-age", "100ms", "--label", "kind=scan", "--priority", "3").out())
                .isEqualTo("added  inbox  " + inbox + "  (was made)\n");
        drop("one.txt", "below/two.txt", "three.tmp");
        Ran scan = pool("watchers", "scan", "inbox");
        assertThat(scan.exit()).isZero();
        assertThat(scan.out()).containsPattern("(?m)^[0-9a-f]{32}  one.txt$")
                .containsPattern("(?m)^[0-9a-f]{32}  below/two.txt$").hasLineCount(2);
        assertThat(scan.err()).contains("files must be seen unchanged for 0.1 s: waiting for 2\n",
                "inbox: 2 files, 26 B imported; left: 1 not wanted\n");
        assertThat(inbox.resolve("one.txt")).doesNotExist();
        assertThat(pool("ls", "--dir", "below", "--json").out()).contains("\"name\":\"two.txt\"",
                "\"labels\":{\"kind\":\"scan\"}", "\"priority\":3", "\"source\":\"watch inbox: below/two.txt\"");
        assertThat(pool("watchers", "list").out())
                .containsPattern("inbox +default +enabled +2 +26 B +1 +0 +0 +20[0-9: -]+ +" + inbox);
        assertThat(pool("watchers", "scan").err()).as("nothing new").startsWith("inbox: 0 files, 0 B imported");
    }

    @Test
    void dryRun_saysWhatWouldBeImportedAndLeavesIt() throws Exception {
        add("--marker", ".done", "--min-age", "0s");
        drop("one.txt", "one.txt.done", "two.txt");
        Ran dry = pool("jobs", "run", "watch-inbox", "--dry-run");
        assertThat(dry.exit()).isZero();
        assertThat(dry.out())
                .containsPattern("dry run: would import 1 files with [0-9]+ bytes: one.txt; would leave 1");
        assertThat(inbox.resolve("one.txt")).exists();
    }

    @Test
    void scan_whenAFileIsNotComplete_leavesItAndSaysSo() throws Exception {
        add("--marker", ".done", "--min-age", "0s", "--keep");
        drop("one.txt", "two.txt", "two.txt.done");
        Ran scan = pool("watchers", "scan", "inbox", "--wait", "50ms", "--json");
        assertThat(scan.exit()).isZero();
        assertThat(scan.out().lines()).hasSize(2).last().asString().contains("\"files\":1,", "\"not-yet\":1");
        assertThat(pool("ls").out()).contains("two.txt").doesNotContain("one.txt");
        assertThat(inbox.resolve("two.txt")).exists();
        assertThat(pool("watchers", "scan", "--wait", "0s").err()).contains("1 not yet, 1 kept");
    }

    @Test
    void allTenants_haveDirectoriesOfTheirOwn() throws Exception {
        pool("tenants", "create", "acme");
        add("--all-tenants", "--min-age", "50ms", "--move", directory.resolve("done").toString());
        assertThat(pool("watchers", "scan").exit()).isZero();
        assertThat(inbox.resolve("acme")).as("made for a tenant").isDirectory();
        drop("acme/one.txt", "nobody/two.txt");
        Ran scan = pool("watchers", "scan");
        assertThat(scan.err()).contains("left: 1 unknown tenant").contains("nobody: is not the directory of a tenant");
        assertThat(pool("ls", "-t", "acme").out()).contains("one.txt");
        assertThat(directory.resolve("done/acme/one.txt")).exists();
    }

    @Test
    void parkedFile_isListedAndTriedAgain() throws Exception {
        pool("tenants", "create", "acme");
        pool("tenants", "retry", "acme", "--attempts", "1");
        // With its label it says more of itself than a file can carry.
        add("-t", "acme", "--min-age", "50ms", "--label", "much=" + "ü".repeat(700));
        drop("o".repeat(240) + ".txt", "two.txt");
        Ran scan = pool("watchers", "scan");
        assertThat(scan.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(scan.out()).hasLineCount(1);
        assertThat(scan.err()).contains("it is parked after 1 attempts");
        String path = pool("watchers", "parked", "inbox", "--json").field("path");
        assertThat(pool("watchers", "parked", "inbox").out()).containsPattern(path + " +acme +[0-9]+ B +1 +20");
        assertThat(pool("watchers", "retry", "inbox", "other.txt").err())
                .isEqualTo("entrepot: watchers.not-parked: watcher inbox has no parked file other.txt\n");
        pool("watchers", "set", "inbox", "--label", "much=less");
        assertThat(pool("watchers", "retry", "inbox", path).out())
                .isEqualTo("1 file is tried again at the next look\n");
        assertThat(pool("watchers", "scan").exit()).isZero();
        assertThat(pool("ls", "-t", "acme").out()).contains("ooo", "two.txt");
        assertThat(pool("watchers", "retry", "inbox", "--all").out()).startsWith("0 files are");
    }

    @Test
    void scan_whenAQuotaIsReached_saysSoAndParksNothing() throws Exception {
        pool("tenants", "create", "acme", "--files", "1");
        add("-t", "acme", "--min-age", "50ms");
        drop("one.txt", "two.txt");
        Ran scan = pool("watchers", "scan");
        assertThat(scan.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(scan.err()).contains("left: 1 quota waits").contains("waits until its tenant may have more files");
        pool("tenants", "limits", "acme", "--files", "none");
        assertThat(pool("watchers", "scan").exit()).isZero();
        assertThat(pool("ls", "-t", "acme").out()).contains("one.txt", "two.txt");
    }

    @Test
    void watcher_isChangedStoppedAndRemoved() throws Exception {
        add();
        Ran set = pool("watchers", "set", "inbox", "--interval", "2m", "--min-age", "1s", "--marker", ".ok",
                "--at-once", "3",
                "--max-size", "2MiB", "--pattern", "*.pdf", "--pattern", "*.tif", "--exclude", "none", "--no-recursive",
                "--keep", "--priority", "-5", "--label", "a=b", "--json");
        assertThat(set.out())
                .contains("\"tenant\":\"default\",\"enabled\":true,\"interval\":\"PT2M\",\"minAge\":\"PT1S\","
                        + "\"marker\":\".ok\",\"atOnce\":3,\"maxSize\":2097152,\"patterns\":[\"*.pdf\",\"*.tif\"],\"excludes\":[],"
                        + "\"recursive\":false,\"after\":\"keep\",\"priority\":-5,\"labels\":{\"a\":\"b\"}");
        assertThat(pool("watchers", "set", "inbox", "--all-tenants", "--no-create-directories", "--marker", "none",
                "--max-size", "none", "--json").out()).contains("\"allTenants\":true,\"createDirectories\":false",
                        "\"maxSize\":0,\"patterns\":[\"*.pdf\"")
                .doesNotContain("marker");
        pool("watchers", "disable", "inbox");
        assertThat(pool("watchers", "show", "inbox").out()).contains("inbox, disabled", "files of    all tenants, each",
                "takes       *.pdf *.tif\n", "every 2 min, not below", "last scan   none by this process");
        assertThat(pool("watchers", "enable", "inbox").out()).isEqualTo("enabled  inbox\n");
        assertThat(pool("watchers", "remove", "inbox").out()).isEqualTo("removed  inbox\n");
        assertThat(pool("watchers", "list").out()).hasLineCount(1);
        assertThat(pool("watchers", "scan").err()).startsWith("there is no watcher;");
        assertThat(inbox).isDirectory();
    }

    @Test
    void directory_whenItIsGone_isSaidInOneLine() throws Exception {
        add();
        Files.delete(inbox);
        Ran scan = pool("watchers", "scan", "inbox");
        assertThat(scan.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(scan.err()).startsWith("entrepot: pool.scan-failed: ").contains(inbox + " is not there")
                .hasLineCount(1);
        assertThat(pool("watchers", "list").out()).contains(inbox + " is not there)");
    }

    @Test
    void mistakes_areToldInOneLineAndChangeNothing() {
        add();
        String other = directory.resolve("other").toString();
        for (List<String> refused : List.of(List.of("add", "inbox", other), List.of("add", "b", inbox + "/below"),
                List.of("add", "b", other, "--move", other + "/done"), List.of("add", "b", data.toString()),
                List.of("add", "b", other, "-t", "nobody"), List.of("add", "b", other, "--min-age", "0s"),
                List.of("add", "b", other, "--priority", "99999"), List.of("scan", "none"), List.of("show", "none"),
                List.of("set", "none", "--keep"), List.of("remove", "none"), List.of("parked", "none"),
                List.of("set", "inbox", "-t", "nobody"))) {
            assertRefused(refused, ExitCode.REFUSED);
        }
        for (List<String> wrong : List.of(List.of("add", "Not A Name", other),
                List.of("add", "b", other, "--interval", "soon"), List.of("add", "b", other, "--max-size", "big"),
                List.of("add", "b", other, "-t", "acme", "--all-tenants"),
                List.of("set", "inbox", "--keep", "--delete"),
                List.of("set", "inbox", "--create-directories"), List.of("retry", "inbox"),
                List.of("scan", "--wait", "long"))) {
            assertRefused(wrong, ExitCode.USAGE);
        }
        assertThat(pool("watchers", "list").out()).hasLineCount(2);
        assertThat(directory.resolve("other")).doesNotExist();
    }

    private void assertRefused(List<String> command, int exit) {
        String[] args = new String[command.size() + 1];
        args[0] = "watchers";
        System.arraycopy(command.toArray(String[]::new), 0, args, 1, command.size());
        Ran ran = pool(args);
        assertThat(ran.exit()).as("%s: %s", command, ran.err()).isEqualTo(exit);
        assertThat(ran.err()).as("%s", command).startsWith("entrepot: ").doesNotContain("Exception").hasLineCount(1);
    }

    private void drop(String... names) throws IOException {
        for (String name : names) {
            Path file = inbox.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "in " + Path.of(name).getFileName() + " it");
        }
    }

    private Ran add(String... more) {
        String[] args = new String[4 + more.length];
        System.arraycopy(new String[]{"watchers", "add", "inbox", inbox.toString()}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        return pool(args);
    }

    private Ran pool(String... args) {
        return Ran.pool(data, args);
    }
}
