package io.entrepot.cli;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cleanup, checks, backups, recovery, drains and configuration by the command line. */
class PoolUpkeepTest {
    @TempDir
    Path directory;

    /** Where it is; whether somebody has it is up to the test. */
    protected Path data;
    private Path file;

    @BeforeEach
    void writeAFile() throws Exception {
        data = directory.resolve("data");
        file = Files.write(directory.resolve("one.pdf"), new byte[100_000]);
    }

    @Test
    void cleanup_doesWhatADryRunHasSaid() {
        String key = put();
        pool("fail", pool("claim").word(), "--for-good");
        assertThat(pool("cleanup").out()).as("it is kept for a week").isEqualTo("nothing to do\n");
        Ran dry = pool("cleanup", "--step", "permanently-failed", "--older-than", "0s", "--dry-run");
        assertThat(dry.out()).contains(key).containsPattern("WOULD BE CLEANED\nfiles that had failed for good +1\n");
        assertThat(pool("ls").out()).contains(key);
        Ran done = pool("cleanup", "--step", "permanently-failed", "--step", "orphans", "--older-than", "0s", "--json");
        assertThat(done.exit()).isZero();
        assertThat(done.out()).startsWith("{\"step\":\"permanently-failed\",\"state\":\"done\",\"dryRun\":false,")
                .contains("\"permanentlyFailedFilesRemoved\":1", "\"spaceFreed\":100000", "{\"step\":\"orphans\"");
        assertThat(pool("ls").err()).isEqualTo("0 files, 0 B\n");
        assertThat(pool("cleanup", "--step", "compact", "--dry-run").out())
                .matches("1 database, .*, about .* would be given back\n");
        assertThat(pool("cleanup", "--step", "compact").out()).startsWith("1 database, ").contains(" before, ");
        assertThat(pool("cleanup", "--step", "empty-directories", "-t", "default").exit()).isZero();
    }

    @Test
    void cleanup_ofOneTenant_purgesWhatItHasFailedOrKept() {
        pool("tenants", "create", "acme");
        String others = put();
        pool("fail", pool("claim").word(), "--for-good");
        String key = pool("put", file.toString(), "-t", "acme").word();
        pool("fail", pool("claim", "-t", "acme").word(), "--for-good");
        pool("put", file.toString(), "-t", "acme");
        pool("complete", pool("claim", "-t", "acme").word(), "--keep");
        String[] purge = {"cleanup", "--step", "permanently-failed", "--step", "completed", "-t", "acme",
                "--older-than", "0s"};
        assertThat(pool(Stream.concat(Stream.of(purge), Stream.of("--dry-run")).toArray(String[]::new)).out())
                .contains(key).doesNotContain(others)
                .containsPattern("files that had failed for good +1\n").containsPattern("completed and kept +1\n");
        assertThat(pool("ls", "-t", "acme").out()).contains(key);
        assertThat(pool(purge).exit()).isZero();
        assertThat(pool("ls", "-t", "acme").err()).isEqualTo("0 files, 0 B\n");
        assertThat(pool("ls").out()).contains(others);
        Ran nobody = pool("cleanup", "--step", "permanently-failed", "-t", "nobody");
        assertThat(nobody.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(nobody.err()).startsWith("not done: ").contains("nobody").hasLineCount(1);
    }

    @Test
    void cleanupStats_whoeverHasThePool_areInTheTable() {
        put();
        pool("fail", pool("claim").word(), "--for-good");
        pool("cleanup", "--step", "permanently-failed", "--older-than", "0s");
        Ran stats = pool("cleanup", "--stats");
        assertThat(stats.exit()).isZero();
        assertThat(stats.out()).containsPattern(cleanedSoFar());
        assertThat(pool("cleanup", "--stats", "--json").out()).startsWith("{\"timedOutFilesReset\":0,").hasLineCount(1);
        assertThat(pool("cleanup", "--stats", "--dry-run").exit()).isEqualTo(ExitCode.USAGE);
    }

    /** What is opened for a command has cleaned nothing before, but for directories that the command before has left empty. */
    String cleanedSoFar() {
        return "^(nothing was cleaned since the pool was opened|CLEANED SINCE THE POOL WAS OPENED\nempty directories +\\d+)\n$";
    }

    @Test
    void cleanup_whenAnOptionWouldBeIgnored_isRefused() {
        put();
        for (String[] wrong : new String[][]{{"--step", "sweep"}, {"--older-than", "1d"}, {"--tenant", "acme"},
                {"--step", "completed"}, {"--step", "completed", "-t", "acme"},
                {"--step", "forget", "-t", "acme"}, {"--step", "orphans", "--orphans", "burn"}, {"--orphans", "delete"},
                {"--remove"}, {"--step", "orphans", "--older-than", "old"}}) {
            Ran ran = pool(Stream.concat(Stream.of("cleanup"), Stream.of(wrong)).toArray(String[]::new));
            assertThat(ran.exit()).as("%s", (Object) wrong).isEqualTo(ExitCode.USAGE);
            assertThat(ran.err()).startsWith("entrepot: usage: ").hasLineCount(1);
        }
    }

    @Test
    void jobs_whenADryRunIsAskedOfOneThatHasNone_areNotRun() {
        put();
        for (String job : List.of("probe-volumes", "scrub")) {
            Ran ran = pool("jobs", "run", job, "--dry-run");
            assertThat(ran.exit()).isEqualTo(ExitCode.FAILED);
            assertThat(ran.err()).startsWith("entrepot: pool.no-dry-run: ").contains(job).hasLineCount(1);
        }
        assertThat(pool("jobs", "run", "expire-uploads", "--dry-run").out())
                .isEqualTo("dry run: 0 uploads would be dropped\n");
    }

    @Test
    void check_andScrub_findDamage() throws Exception {
        String key = put();
        assertThat(pool("check", "--deep").out()).containsPattern("bytes +1 +0");
        assertThat(pool("scrub").err()).isEqualTo("1 files, 98 KiB read: no damage\n");
        Files.write(Path.of(pool("stat", key, "--json").field("path")), new byte[]{1}, WRITE);
        assertThat(pool("check", "--files").exit()).as("as many bytes as there should be").isZero();
        Ran check = pool("check", "--deep");
        assertThat(check.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(check.out()).containsPattern("bytes +1 +1");
        assertThat(check.err()).contains(key).hasLineCount(1);
        Ran scrub = pool("scrub");
        assertThat(scrub.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(scrub.out()).containsPattern("DAMAGED +TENANT +VOLUME +WHY\n" + key + " +default +main +");
        assertThat(pool("scrub", "--json").out()).startsWith("{\"files\":1,").contains("\"damaged\":1,\"damage\":[{");
        assertThat(pool("history", key).out()).containsPattern("damaged .*on volume main: its bytes are not those");
        assertThat(pool("explain", key).out()).contains("a scrub found it damaged on volume main",
                "Its bytes are damaged");
        Files.delete(Path.of(pool("stat", key, "--json").field("path")));
        assertThat(pool("check", "--files").exit()).isEqualTo(ExitCode.FAILED);
        assertThat(pool("cleanup", "--step", "missing-bytes").out()).containsPattern("files without bytes found +1");
        assertThat(pool("cleanup", "--step", "missing-bytes", "--remove").exit()).isZero();
        assertThat(pool("check", "--files").exit()).isZero();
    }

    @Test
    void database_whenItIsLost_isRestoredOrRecovered() throws Exception {
        String first = put();
        Path backup = directory.resolve("backup");
        assertThat(pool("backup", backup.toString()).out()).isEqualTo("written  " + backup + "\n");
        assertThat(pool("backup", backup.toString()).exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(pool("restore", backup.toString()).err()).contains("a restore overwrites nothing").hasLineCount(1);
        String second = put();
        loseDatabase();
        Ran lost = pool("ls");
        assertThat(lost.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(lost.err()).startsWith("entrepot: no-database: ").hasLineCount(1);
        assertThat(pool("restore", directory.resolve("none").toString()).exit()).isEqualTo(ExitCode.REFUSED);
        Ran restore = pool("restore", backup.toString());
        assertThat(restore.exit()).isZero();
        assertThat(restore.out()).contains("Restored from the backup " + backup,
                "1 files with 100000 bytes rebuilt and held",
                "pool unhold");
        assertThat(pool("ls", "--status", "held").out()).contains(second).doesNotContain(first);
        assertThat(pool("unhold", second).out()).isEqualTo("pending  " + second + "\n");
        assertThat(pool("unhold", second).exit()).isEqualTo(ExitCode.FAILED);
        assertThat(pool("recover").err()).isEqualTo("all databases are sound: nothing was changed\n");
        loseDatabase();
        Ran recover = pool("recover", "--json");
        assertThat(recover.exit()).isZero();
        assertThat(recover.out()).startsWith("{\"at\":").contains("\"rebuilt\":2");
        assertThat(pool("unhold", "--all").out()).isEqualTo("2 files are pending now\n");
        assertThat(pool("unhold").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("check", "--deep").exit()).isZero();
    }

    @Test
    void database_whenItIsDamaged_saysWhatToDo() throws Exception {
        put();
        Files.write(data.resolve("entrepot.db"),
                "no database at all".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Ran ls = pool("ls");
        assertThat(ls.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(ls.err()).startsWith("entrepot: pool.unavailable.damaged: ").contains("pool recover")
                .hasLineCount(1);
        assertThat(pool("recover").out()).contains("The damaged files are in ", "1 files with 100000 bytes rebuilt");
        assertThat(pool("recover", "--backups", directory.resolve("none").toString()).exit())
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void drain_whenAnUploadIsUnderWay_saysWhatItWaitsForAndEndsInTime() throws Exception {
        pool("volumes", "mount", "second", directory.resolve("second").toString());
        pool("volumes", "read-only", "second");
        beginUpload(NewFile.unnamed());
        pool("volumes", "activate", "second");
        Ran drain = pool("volumes", "drain", "main", "--timeout", "2s");
        assertThat(drain.exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(drain.err().lines().filter(line -> line.startsWith("waits for ")))
                .containsExactly("waits for 1 upload that is under way there");
        assertThat(drain.out()).contains("which is drained further whenever the pool is open");
        assertThat(pool("volumes", "list", "--json").out()).containsIgnoringCase("\"state\":\"draining\"");
        assertThat(pool("volumes", "drain", "main", "--timeout", "soon").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void volume_isDrainedAndUnmounted() {
        String key = put();
        Ran nowhere = pool("volumes", "drain", "main");
        assertThat(nowhere.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(nowhere.err()).startsWith("entrepot: volumes.not-drained: no volume takes files now")
                .contains("1 files are left on main").hasLineCount(1);
        pool("volumes", "mount", "second", directory.resolve("second").toString());
        Ran drain = pool("volumes", "drain", "main");
        assertThat(drain.exit()).isZero();
        assertThat(drain.out()).contains("moved ").contains(" files with ");
        assertThat(pool("stat", key, "--json").out()).contains("\"volume\":\"second\"");
        assertThat(pool("volumes", "activate", "main").out()).containsPattern("main +active");
        assertThat(pool("volumes", "drain", "main", "--json").out()).contains("\"drained\":true");
        assertThat(pool("volumes", "unmount", "main").exit()).isZero();
        assertThat(pool("volumes", "drain", "main").exit()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void volume_whenItIsLost_isGivenUp() throws Exception {
        Path disk = directory.resolve("second");
        pool("volumes", "mount", "second", disk.toString());
        pool("volumes", "read-only", "main");
        String key = put();
        assertThat(pool("volumes", "give-up", "second").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("volumes", "give-up", "second", "--yes").exit()).isEqualTo(ExitCode.REFUSED);
        Files.move(disk, directory.resolve("gone"));
        assertThat(pool("ls", "--volume", "second").out()).contains(key);

        Ran look = pool("volumes", "give-up", "second", "--dry-run");
        assertThat(look.out()).contains("WOULD BE LOST").containsPattern("default +1 ");
        assertThat(pool("ls").out()).contains(key);
        Ran done = pool("volumes", "give-up", "second", "--yes");

        assertThat(done.exit()).isZero();
        assertThat(done.err()).contains("second is unmounted");
        assertThat(pool("ls").out()).doesNotContain(key);
        assertThat(pool("explain", key).out()).contains("its volume second was given up");
        assertThat(pool("volumes", "list").out()).doesNotContain("second");
    }

    @Test
    void upload_isListedAndCancelled() throws Exception {
        String id = beginUpload(NewFile.named("large.bin").ofSize(5));
        assertThat(pool("uploads", "list").out()).containsPattern(id + " +0 B +5 B .* large.bin");
        assertThat(pool("uploads", "cancel", id).out()).isEqualTo("cancelled  " + id + "\n");
        assertThat(pool("uploads", "cancel", id).err()).startsWith("entrepot: uploads.not-found: ").hasLineCount(1);
        assertThat(pool("uploads", "cancel", "nonsense").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void configFile_saysWhereEverythingIs() throws Exception {
        Path config = Files.writeString(directory.resolve("pool.toml"), """
                                                                        directory = "books"
                                                                        [[volume]]
                                                                        name = "large"
                                                                        path = "large"
                                                                        [[tenant]]
                                                                        id = "acme"
                                                                        """);
        assertThat(Ran.command("pool", "tenants", "list", "--config", config.toString()).out())
                .containsPattern("acme +enabled").doesNotContain("default");
        assertThat(Ran.command("pool", "put", file.toString(), "-t", "acme", "--config", config.toString()).exit())
                .isZero();
        assertThat(Ran.command("work", "-t", "acme", "--config", config.toString(), "--", "true").exit()).isZero();
        assertThat(directory.resolve("books/entrepot.db")).exists();
        assertThat(directory.resolve("large/acme")).isDirectory();
        Ran both = pool("ls", "--config", config.toString());
        assertThat(both.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(both.err()).startsWith("entrepot: usage: --config says where the data is").hasLineCount(1);
    }

    @Test
    void configFile_whenItHasMistakes_tellsAllWithLines() throws Exception {
        Path config = Files.writeString(directory.resolve("pool.toml"), "directory = 3\n[retry]\natempts = 4\n");
        Ran ls = Ran.command("pool", "ls", "--config", config.toString());
        assertThat(ls.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(ls.err().lines()).hasSize(2)
                .anyMatch(line -> line.startsWith("entrepot: config.invalid: " + config + ":1: directory: "))
                .anyMatch(line -> line.startsWith("entrepot: config.invalid: " + config + ":3: retry.atempts: "));
        assertThat(Ran.command("pool", "ls", "--config", directory.resolve("none").toString()).err())
                .startsWith("entrepot: config.invalid: ").contains("there is no such file").hasLineCount(1);
    }

    String beginUpload(NewFile file) throws Exception {
        try (Pool pool = Pool.open(data)) {
            return pool.uploads().begin(TenantId.DEFAULT, file).toString();
        }
    }

    private void loseDatabase() throws Exception {
        try (Stream<Path> files = Files.list(data)) {
            for (Path each : files.filter(path -> path.getFileName().toString().startsWith("entrepot.db")).toList()) {
                Files.delete(each);
            }
        }
    }

    private String put() {
        return pool("put", file.toString()).word();
    }

    private Ran pool(String... args) {
        return Ran.pool(data, args);
    }
}
