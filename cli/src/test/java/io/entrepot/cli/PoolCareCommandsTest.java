package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tenants, volumes, quotas and jobs by the command line. */
class PoolCareCommandsTest {
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
    void retry_whatIsNotNamed_stays() {
        pool("tenants", "create", "acme");
        pool("tenants", "retry", "acme", "--attempts", "7", "--initial", "1s");
        assertThat(pool("tenants", "retry", "acme", "--max", "1m").out())
                .isEqualTo("acme is enabled; files -, bytes -; 7 attempts, the next after 1.0 s and up to 60 s\n");
        String now = pool("tenants", "retry", "acme", "--json").out();
        assertThat(now).contains("\"inForce\":{\"attempts\":7,\"initial\":\"PT1S\",\"max\":\"PT1M\"");
        pool("tenants", "retry", "acme", "--fixed");
        assertThat(pool("tenants", "retry", "acme", "--attempts", "8").out())
                .endsWith("; 8 attempts, the next after 1.0 s\n");
        assertThat(pool("tenants", "retry", "acme", "--max", "1m", "--fixed").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("tenants", "retry", "acme", "--max", "1m", "--default").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("tenants", "retry", "acme", "--default").out())
                .endsWith("; 3 attempts, the next after 5.0 s and up to 5 min, by the pool's rule\n");
    }

    @Test
    void quota_whosePatternBeginsWithNoTenant_isKeptAndSaysSo() {
        pool("tenants", "create", "acme");
        Ran set = pool("quota", "set", "inbox", "3");
        assertThat(set.exit()).isZero();
        assertThat(set.err()).contains("no tenant inbox now", "TENANT/inbox", "*/inbox").hasLineCount(1);
        assertThat(pool("quota", "list").out()).contains("inbox");
        for (String pattern : new String[]{"acme", "acme/inbox", "a*/inbox", "*", "**"}) {
            assertThat(pool("quota", "set", pattern, "3").err()).as(pattern).isEmpty();
        }
    }

    @Test
    void tenant_isCreatedLimitedStoppedAndDeleted() {
        assertThat(pool("tenants", "create", "acme", "--files", "1", "--bytes", "2KiB").out())
                .isEqualTo("created  acme\n");
        assertThat(pool("tenants", "create", "acme").exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(put().exit()).isZero();
        Ran refused = put();
        assertThat(refused.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).startsWith("entrepot: pool.tenant-quota-exceeded: ").hasLineCount(1);
        assertThat(pool("tenants", "limits", "acme", "--files", "none").out())
                .isEqualTo("acme is enabled; files -, bytes 2.0 KiB\n");
        assertThat(put().exit()).isZero();

        assertThat(pool("tenants", "suspend", "acme").out()).startsWith("acme is suspended");
        assertThat(put().err()).startsWith("entrepot: pool.tenant-suspended: ");
        pool("tenants", "disable", "acme");
        assertThat(pool("claim", "-t", "acme").exit()).isEqualTo(ExitCode.REFUSED);
        pool("tenants", "enable", "acme");
        pool("tenants", "pause", "acme");
        assertThat(pool("claim", "-t", "acme").exit()).isEqualTo(ExitCode.NOTHING);
        pool("tenants", "resume", "acme");
        assertThat(pool("claim", "-t", "acme").exit()).isZero();

        assertThat(pool("tenants", "list").out()).containsPattern("TENANT +STATUS +FILES")
                .containsPattern("acme +enabled +2 +- +20 B +2.0 KiB");
        assertThat(pool("tenants", "usage", "acme").out()).containsPattern("acme +2 +20 B +1 +0 +1 +0 +0 +0");
        assertThat(pool("tenants", "usage", "acme", "--json").out()).isEqualTo("{\"tenant\":\"acme\",\"files\":2,"
                + "\"bytes\":20,\"pending\":1,\"delayed\":0,\"processing\":1,\"completed\":0,\"failed\":0,\"held\":0}\n");
        assertThat(pool("tenants", "delete", "acme").exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(pool("tenants", "delete", "acme", "--with-files").exit()).isZero();
        assertThat(put().err()).startsWith("entrepot: pool.tenant-not-found: ");
    }

    @Test
    void retryRule_isSetAndTakenBack() {
        pool("tenants", "create", "acme", "--shard");
        assertThat(pool("tenants", "retry", "acme", "--attempts", "1", "--json").out())
                .contains("\"retry\":{\"attempts\":1,", "\"sharded\":true");
        put();
        assertThat(pool("fail", pool("claim", "-t", "acme").word()).out()).isEqualTo("permanently-failed\n");
        assertThat(pool("tenants", "retry", "acme", "--default", "--json").out()).doesNotContain("retry");
    }

    @Test
    void volume_isMountedUsedAndUnmounted() {
        pool("tenants", "create", "acme");
        Path second = directory.resolve("second");
        assertThat(pool("volumes", "mount", "fast", second.toString(), "--depth", "1", "--headroom", "0").out())
                .containsPattern("fast +active +healthy +0 ");
        assertThat(pool("volumes", "read-only", "main").out()).containsPattern("main +read-only +healthy");
        assertThat(put().exit()).isZero();
        assertThat(pool("volumes", "list", "--json").out()).contains("\"volume\":\"fast\"", "\"files\":1,\"depth\":1");
        Ran refused = pool("volumes", "unmount", "fast");
        assertThat(refused.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("has 1 files");
        pool("volumes", "activate", "main");
        pool("complete", pool("claim", "-t", "acme").word());
        assertThat(pool("volumes", "unmount", "fast").out()).isEqualTo("unmounted  fast\n");
        assertThat(pool("volumes", "probe").exit()).isZero();
    }

    @Test
    void volume_isChangedWhileItIsUsed() {
        pool("tenants", "create", "acme");
        assertThat(pool("volumes", "set", "main", "--headroom", "3MiB", "--json").out())
                .contains("\"headroom\":3145728");
        assertThat(pool("volumes", "list", "--json").out()).contains("\"headroom\":3145728");
        assertThat(pool("volumes", "spare", "main").out()).containsPattern("main +spare +healthy");
        assertThat(put().exit()).isZero();
        assertThat(pool("volumes", "list").out()).containsPattern("main +active +healthy +1 ");
        assertThat(pool("volumes", "set", "main").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(pool("volumes", "set", "nothing", "--headroom", "0").exit()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void volume_whenItIsAway_isSaidAndFailsTheProbe() throws Exception {
        pool("tenants", "create", "acme");
        Path second = directory.resolve("second");
        pool("volumes", "mount", "fast", second.toString());
        Files.move(second, directory.resolve("gone"));
        Ran probe = pool("volumes", "probe");
        assertThat(probe.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(probe.out()).containsPattern("fast +active +failed");
    }

    @Test
    void quota_holdsUntilItIsRemoved() {
        pool("tenants", "create", "acme");
        assertThat(pool("quota", "set", "acme/in/*", "1").exit()).isZero();
        assertThat(put("--dir", "in/a").exit()).isZero();
        Ran refused = put("--dir", "in/a");
        assertThat(refused.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).startsWith("entrepot: pool.directory-quota-exceeded: ");
        assertThat(put("--dir", "in/b").exit()).isZero();
        assertThat(pool("quota", "list").out()).containsPattern("acme/in/\\* +1 +80% +each");
        assertThat(pool("quota", "usage", "-t", "acme").out()).containsPattern("in/a +1 +1 +acme/in/\\*");
        assertThat(pool("quota", "recount", "-t", "acme").out()).isEqualTo("2 files, 20 B: all counters were right\n");
        assertThat(pool("quota", "remove", "acme/in/*").exit()).isZero();
        assertThat(pool("quota", "remove", "acme/in/*").exit()).isEqualTo(ExitCode.FAILED);
        assertThat(put("--dir", "in/a").exit()).isZero();
    }

    @Test
    void job_isListedAndRun() {
        pool("tenants", "create", "acme");
        assertThat(pool("jobs", "list").out()).containsPattern("probe-volumes +every 10 s");
        assertThat(pool("jobs", "run", "probe-volumes").out()).isEqualTo("1 volumes were tried\n");
        assertThat(pool("jobs", "run", "nonsense").err()).startsWith("entrepot: pool.no-such-job: ");
    }

    private Ran put(String... more) {
        String[] args = new String[4 + more.length];
        System.arraycopy(new String[]{"put", file.toString(), "-t", "acme"}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        return pool(args);
    }

    private Ran pool(String... args) {
        return Ran.pool(data, args);
    }
}
