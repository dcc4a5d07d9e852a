package io.entrepot.cli;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Pool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolCommandTest {
    @TempDir
    Path directory;

    /** Where it is; whether somebody has it is up to the test. */
    protected Path data;
    private Path file;

    @BeforeEach
    void writeAFile() throws Exception {
        data = directory.resolve("data");
        file = Files.writeString(directory.resolve("one.pdf"), "0123456789");
    }

    @Test
    void file_goesThroughItsLife() {
        Ran put = pool("put", file.toString(), "--dir", "in", "--label", "kind=invoice", "--priority", "7");
        assertThat(put.exit()).isZero();
        assertThat(put.out()).isEqualTo(put.word() + "  " + file + "\n").matches("(?s)[0-9a-f]{32} .*");
        String key = put.word();

        assertThat(pool("ls").out())
                .containsPattern(
                        "KEY +STATUS +SIZE +CREATED +DIRECTORY +NAME\n" + key + " +pending +10 B .* in +one.pdf");
        assertThat(pool("stat", key).out()).contains("labels      kind=invoice", "priority    7", "10 B",
                "came from   " + cameFrom());

        Ran claim = pool("claim", "--worker", "w1");
        assertThat(claim.out()).startsWith("default/" + key + "@1-").contains(data + "/files/default/", "one.pdf");
        assertThat(pool("claim").exit()).isEqualTo(ExitCode.NOTHING);
        assertThat(pool("renew", claim.word()).out()).isEqualTo("renewed\n");
        assertThat(pool("stat", key).out()).containsPattern("status +processing, since .*, by w1");

        assertThat(pool("fail", claim.word(), "--error", "page 3 is unreadable").out()).isEqualTo("retrying\n");
        assertThat(pool("retry", key).out()).isEqualTo("need not wait any longer\n");
        Ran again = pool("claim");
        Ran late = pool("complete", claim.word());
        assertThat(late.exit()).as("the first ending counts").isEqualTo(ExitCode.FAILED);
        assertThat(late.out()).isEqualTo("retrying  (had ended so before)\n");
        assertThat(pool("complete", again.word()).out()).isEqualTo("completed\n");
        assertThat(pool("complete", again.word()).out()).isEqualTo("completed  (had ended so before)\n");

        assertThat(pool("stat", key).exit()).isEqualTo(ExitCode.FAILED);
        assertThat(pool("history", key).out()).containsPattern("written.*\n.*claimed +1 +w1.*\n.*failed.*unreadable")
                .containsPattern("completed +2 +cli");
        assertThat(pool("explain", key).out()).contains("w1 failed, to be tried again: page 3 is unreadable.",
                "It is gone since");
    }

    @Test
    void explain_ofAFileThatWaits_saysWhatFor() {
        String key = pool("put", file.toString()).word();
        pool("tenants", "pause", "default");
        assertThat(pool("explain", key).out()).contains("Its tenant is paused").doesNotContain("for a worker");
        pool("tenants", "resume", "default");
        pool("tenants", "suspend", "default");
        assertThat(pool("explain", key).out()).contains("Its tenant is suspended").doesNotContain("for a worker");
        pool("tenants", "enable", "default");
        assertThat(pool("explain", key).out()).contains("Now it waits for a worker.");
        String later = pool("put", file.toString(), "--delay", "1h").word();
        assertThat(pool("explain", later).out()).contains("it was written with a delay").doesNotContain("again");
    }

    @Test
    void stat_whenTheVolumeHasFailed_saysThatTheBytesCannotBeRead() throws Exception {
        String key = pool("put", file.toString()).word();
        assertThat(pool("stat", key).out()).doesNotContain("unreadable");
        Path root = data.resolve("files");
        Path away = Files.move(root, data.resolve("away"));
        Files.createDirectory(root);
        pool("volumes", "probe");

        Ran stat = pool("stat", key);
        assertThat(stat.exit()).isZero();
        assertThat(stat.out()).contains("unreadable  now: volume main has failed: ");
        assertThat(pool("stat", key, "--json").out()).contains("\"unreadable\":\"volume main has failed: ");

        Files.delete(root);
        Files.move(away, root);
        pool("volumes", "probe");
        assertThat(pool("stat", key).out()).doesNotContain("unreadable");
    }

    @Test
    void put_whenKeyIsTheSame_isTheSameFile() throws Exception {
        Ran first = pool("put", file.toString(), "--key", "upload-1");
        assertThat(pool("put", file.toString(), "--key", "upload-1").out())
                .isEqualTo(first.word() + "  " + file + "  (was there already)\n");
        Files.writeString(file, "other");
        Ran other = pool("put", file.toString(), "--key", "upload-1");
        assertThat(other.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(other.err()).startsWith("entrepot: pool.idempotency-conflict: ").hasLineCount(1);
    }

    @Test
    void put_ofADirectory_takesWhatIsBelow() throws Exception {
        Path tree = Files.createDirectories(directory.resolve("tree/2026/11"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(tree.resolve(i + ".txt"), "text " + i);
        }
        Files.writeString(directory.resolve("tree/top.txt"), "top");
        Files.createSymbolicLink(directory.resolve("tree/link"), file);
        Ran put = pool("put", directory.resolve("tree").toString(), "--dir", "in", "--json");
        assertThat(put.exit()).isZero();
        assertThat(put.out().lines()).hasSize(21).allMatch(line -> line.startsWith("{\"tenant\":\"default\",\"key\":\"")
                && line.endsWith("\"new\":true}"));
        assertThat(pool("ls", "--dir", "in/2026/11", "--name", "1*.txt").out().lines()).hasSize(1 + 11);
        assertThat(pool("ls", "--dir", "in").err()).isEqualTo("1 file, 3 B\n");
        assertThat(pool("quota", "usage").out()).containsPattern("in/2026/11 +20 +- +-");
    }

    @Test
    void put_withResume_storesOnlyWhatIsNotThere() throws Exception {
        Path tree = Files.createDirectories(directory.resolve("tree/a"));
        Files.writeString(tree.resolve("one"), "one");
        String[] put = {"put", "--resume", directory.resolve("tree").toString()};
        String one = pool(put).word();
        pool("complete", pool("claim").word());
        Files.writeString(tree.resolve("two"), "two");

        Ran again = pool(put);
        assertThat(again.exit()).isZero();
        assertThat(again.out()).contains(one).contains("one  (was there already)").hasLineCount(2);
        assertThat(again.err()).isEqualTo("1 file, 3 B stored; 1 there already\n");
        assertThat(pool("ls").err()).as("what was completed is not there again").isEqualTo("1 file, 3 B\n");
        assertThat(pool("put", "--resume", directory.resolve("tree").toString(), "--dir", "other").err())
                .isEqualTo("2 files, 6 B stored\n");

        Path two = tree.resolve("two");
        FileTime then = Files.getLastModifiedTime(two);
        Files.writeString(two, "TWO");
        Files.setLastModifiedTime(two, then);
        Ran odd = pool(put);
        assertThat(odd.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(odd.err()).contains("its bytes are others").contains("1 there already; 1 left out");
        Files.setLastModifiedTime(two, FileTime.from(then.toInstant().plusSeconds(1)));
        assertThat(pool(put).err()).isEqualTo("1 file, 3 B stored; 1 there already\n");
        assertThat(pool("put", "--resume", "--key", "k", file.toString()).exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("put", "--resume", "-").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void put_whenOneCannotBeRead_storesTheOthersAndFails() throws Exception {
        assertThat(pool("put", file.toString(), directory.resolve("none").toString()).err())
                .startsWith("entrepot: no-such-file: ").hasLineCount(1);
        assertThat(data).as("told before anything is done").doesNotExist();
        Path odd = directory.resolve("a\nb");
        Files.writeString(odd, "");
        Ran alone = pool("put", odd.toString());
        assertThat(alone.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(alone.err()).contains("entrepot: pool.invalid-name: ");
        Ran put = pool("put", odd.toString(), file.toString());
        assertThat(put.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(put.err()).contains(directory.toString()).contains("1 file, 10 B stored; 1 left out");
        assertThat(pool("put", file.toString(), odd.toString(), "--dir", "../x").exit()).isEqualTo(ExitCode.USAGE);
    }

    /** There are keys in a data directory, and what is on a volume is stored already. */
    @Test
    void put_ofADirectoryWithAPoolInIt_leavesThatOut() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        Pool.open(work.resolve("entrepot-data")).close();
        Files.writeString(work.resolve("mine.txt"), "mine");

        Ran put = pool("put", work.toString());

        assertThat(put.out().lines()).singleElement().asString().endsWith("mine.txt");
        assertThat(put.err()).startsWith("left out: ").contains("entrepot-data belongs to a pool").hasLineCount(1);
        assertThat(put.exit()).isZero();
        for (String inside : new String[]{"entrepot-data", "entrepot-data/entrepot.db", "entrepot-data/files"}) {
            Ran refused = pool("put", work.resolve(inside).toString());
            assertThat(refused.exit()).as(inside).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("belongs to a pool");
        }
        assertThat(pool("put", "").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void put_keepsWhenTheSourceWasChangedAndGetCanGiveItBack() throws Exception {
        FileTime then = FileTime.from(Instant.parse("2001-02-03T04:05:06.789Z"));
        Files.setLastModifiedTime(file, then);
        String key = pool("put", file.toString()).word();
        assertThat(pool("stat", key).out()).containsPattern("modified +2001-02-0");
        for (Ran json : List.of(pool("stat", key, "--json"), pool("ls", "--json"), pool("claim", "--json"))) {
            assertThat(json.out()).contains("\"modified\":\"2001-02-03T04:05:06.789Z\"");
        }

        Path target = directory.resolve("target");
        assertThat(pool("get", key, "-o", target.toString()).exit()).isZero();
        assertThat(Files.getLastModifiedTime(target)).isGreaterThan(then);
        assertThat(pool("get", key, "-o", target.toString(), "--preserve").exit()).isZero();
        assertThat(Files.getLastModifiedTime(target)).isEqualTo(then);
        assertThat(target).hasContent("0123456789");
        assertThat(pool("get", key, "-o", "-", "--preserve").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void get_writesTheWholeFileOrAPart() throws Exception {
        String key = pool("put", file.toString()).word();
        Path target = directory.resolve("target");
        assertThat(pool("get", key, "-o", target.toString(), "--verify").out()).isEqualTo(target + "  10 B\n");
        assertThat(target).hasContent("0123456789");
        pool("get", key, "-o", target.toString(), "--range", "2-4");
        assertThat(target).hasContent("234");
        pool("get", key, "-o", target.toString(), "--range", "8-");
        assertThat(target).hasContent("89");
        pool("get", key, "-o", target.toString(), "--range=-3");
        assertThat(target).hasContent("789");
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        pool("get", key, "-o", elsewhere.toString());
        assertThat(elsewhere.resolve("one.pdf")).hasContent("0123456789");
        assertThat(pool("get", key, "--tenant", "nobody", "-o", target.toString()).exit()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void get_whenFileIsDamaged_leavesNothingBehind() throws Exception {
        Files.write(file, new byte[100_000]); // a smaller one would be written again from the database
        Ran put = pool("put", file.toString());
        Files.write(Path.of(pool("stat", put.word(), "--json").field("path")), new byte[]{1}, WRITE);
        Path target = directory.resolve("target");
        Ran get = pool("get", put.word(), "-o", target.toString());
        assertThat(get.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(get.err()).startsWith("entrepot: pool.damaged-file: ").hasLineCount(1);
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
        assertThat(target).doesNotExist();
    }

    @Test
    void claim_ofANamedFile_takesItOutOfTurn() {
        pool("put", file.toString());
        String second = pool("put", file.toString(), "--name", "zwei 文件.pdf").word();
        Ran claim = pool("claim", second, "--json");
        assertThat(claim.out()).startsWith("{\"lease\":\"default/" + second + "@").contains("\"name\":\"zwei 文件.pdf\"",
                "\"status\":\"processing\"");
        Ran again = pool("claim", second);
        assertThat(again.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(again.err()).startsWith("entrepot: pool.file-already-processing: ");
        assertThat(pool("release", claim.field("lease")).out()).isEqualTo("released\n");
    }

    @Test
    void operator_resetsRetriesAndRemoves() {
        String key = pool("put", file.toString()).word();
        pool("fail", pool("claim").word(), "--for-good");
        assertThat(pool("ls", "--status", "permanently-failed").out()).contains(key);
        assertThat(pool("retry", "--all-failed").out()).isEqualTo("1 files are pending again\n");
        String lease = pool("claim").word();
        pool("reset", key);
        assertThat(pool("complete", lease, "--keep").exit()).isEqualTo(ExitCode.LEASE_LOST);
        assertThat(pool("complete", pool("claim").word(), "--keep").out()).isEqualTo("kept\n");
        assertThat(pool("ls", "--status", "completed").out()).contains(key);
        assertThat(pool("rm", key).out()).isEqualTo("removed  " + key + "\n");
        assertThat(pool("ls").err()).isEqualTo("0 files, 0 B\n");
    }

    @Test
    void events_areInOrder() {
        String key = pool("put", file.toString()).word();
        pool("fail", pool("claim").word(), "--for-good");
        pool("reset", key);
        assertThat(pool("events").out()).containsSubsequence("file.written", "file.failed-permanently", "file.reset");
        assertThat(pool("events", "--json", "--after", "1").out()).startsWith("{\"seq\":2,").contains("\"body\":{");
    }

    @Test
    void directoryInUse_isSaidInOneLine() throws Exception {
        pool("put", file.toString());
        try (Pool _ = Pool.open(data)) {
            Ran ls = pool("ls");
            assertThat(ls.exit()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(ls.err()).startsWith("entrepot: pool.unavailable.in-use: ").hasLineCount(1);
        }
    }

    @Test
    void command_whenDirectoryIsNotThere_makesNone() {
        for (List<String> one : List.of(List.of("ls"), List.of("claim"), List.of("tenants", "list"),
                List.of("volumes", "list"), List.of("quota", "list"), List.of("jobs", "list"), List.of("events"))) {
            Ran ran = pool(one.toArray(String[]::new));
            assertThat(ran.exit()).as("%s", one).isEqualTo(ExitCode.FAILED);
            assertThat(ran.err()).as("%s", one).startsWith("entrepot: no-data: ").hasLineCount(1);
        }
        assertThat(data).doesNotExist();
    }

    @Test
    void badInput_isAUsageError() {
        pool("put", file.toString());
        for (List<String> bad : List.of(List.of("get", "nonsense"), List.of("stat", "x", "--tenant", "Acme"),
                List.of("complete", "nonsense"), List.of("ls", "--status", "gone"), List.of("claim", "--term", "soon"),
                List.of("put", file.toString(), file.toString(), "--name", "x"), List.of("retry"),
                List.of("put", file.toString(), "--priority", "100000"), List.of("put"),
                List.of("tenants", "create", "acme", "--bytes", "much"), List.of("tenants"), List.<String>of())) {
            Ran ran = pool(bad.toArray(String[]::new));
            assertThat(ran.exit()).as("%s", bad).isEqualTo(ExitCode.USAGE);
            assertThat(ran.err()).as("%s", bad).doesNotContain("Exception").isNotEmpty();
        }
    }

    @Test
    void help_groupsCommandsAndKnowsThoseBelow() {
        assertThat(Ran.command("--help").out())
                .containsSubsequence("Files:", "  pool ", "  work ", "Proof:", "  bench ")
                .doesNotContain("Others:");
        assertThat(Ran.command("pool", "--help").out()).containsSubsequence("Files:", "  put ", "Work:", "  claim ",
                "What holds them:", "  tenants ").doesNotContain("Others:");
        assertThat(Ran.command("pool", "tenants", "--help").out()).contains("create", "suspend");
        assertThat(Ran.command("help", "pool", "tenants", "create").out())
                .startsWith("Usage: entrepot pool tenants create").contains("--files", "--debug");
        assertThat(Ran.command("pool", "tennants").err()).contains("did you mean", "tenants");
        assertThat(Ran.command("pool", "tenants", "crate").err()).contains("did you mean", "create");
    }

    /** What is known of where a file came from. */
    String cameFrom() {
        return file.toString();
    }

    private Ran pool(String... args) {
        return Ran.pool(data, args);
    }
}
