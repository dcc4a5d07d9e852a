package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.cli.access.LongWork;
import io.entrepot.cli.access.PoolAccess;
import io.entrepot.client.ClientConfig;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.server.Server;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and the server they go through: how it is found, who may, and what happens when it goes. */
class ServerCommandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private Path data;
    private Path file;
    private Path key;
    private Server server;

    @BeforeEach
    void serve() throws Exception {
        data = directory.resolve("data");
        file = Files.writeString(directory.resolve("one.txt"), "text of one");
        Files.createFile(directory.resolve("in"));
        server = ServedData.serve(data);
        key = Files.writeString(directory.resolve("key"), server.firstKey().orElseThrow().written() + "\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Ran there(String... args) {
        String[] all = new String[args.length + 4];
        System.arraycopy(args, 0, all, 0, args.length);
        System.arraycopy(new String[]{"--server", server.address(), "--key-file", key.toString()}, 0, all, args.length,
                4);
        return Ran.command(all);
    }

    @Test
    void server_namedByItsAddress_isUsed() throws Exception {
        String put = there("pool", "put", file.toString()).word();
        Path target = directory.resolve("target");
        assertThat(there("pool", "get", put, "-o", target.toString(), "--verify").exit()).isZero();
        assertThat(target).hasContent("text of one");
        assertThat(there("pool", "ls", "--json").out()).contains("\"key\":\"" + put + "\"");
        assertThat(there("pool", "tenants", "limits", "default", "--files", "9", "--bytes", "none").out())
                .startsWith("default is enabled; files 9, bytes -");
        assertThat(there("pool", "tenants", "retry", "default", "--attempts", "2").exit()).isZero();
        assertThat(there("pool", "tenants", "list", "--json").out()).contains("\"maxFiles\":9", "\"attempts\":2");
        assertThat(there("pool", "tenants", "retry", "default", "--default").out()).doesNotContain("2");
        assertThat(there("pool", "volumes", "list").out()).contains("main");
        assertThat(there("pool", "quota", "set", "default", "5").exit()).isZero();
        assertThat(there("pool", "quota", "remove", "nothing").err()).startsWith("entrepot: quota.no-such-rule: ");
    }

    @Test
    void retry_whatIsNotNamed_stays() throws Exception {
        server.close();
        server = ServedData.serve(data, Map.of("retry.attempts", 9));
        assertThat(there("pool", "tenants", "retry", "default").out())
                .endsWith("; 9 attempts, the next after 5.0 s and up to 5 min, by the pool's rule\n");
        assertThat(there("pool", "tenants", "list", "--json").out()).as("it was only shown").doesNotContain("retry");
        there("pool", "tenants", "retry", "default", "--initial", "1s");
        assertThat(there("pool", "tenants", "retry", "default", "--max", "1m").out())
                .endsWith("; 9 attempts, the next after 1.0 s and up to 60 s\n");
    }

    @Test
    void key_whenItIsWrong_isRefusedInOneLine() throws Exception {
        Files.writeString(key, "ek_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
        Ran wrong = there("pool", "ls");
        assertThat(wrong.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(wrong.err()).startsWith("entrepot: access.").hasLineCount(1).doesNotContain("bbbb");
        Ran none = Ran.command("pool", "ls", "--server", server.address());
        assertThat(none.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("--key-file");
    }

    @Test
    void server_whenNobodyIsThere_isNotNow() {
        String address = server.address();
        server.close();
        Ran ran = Ran.command("pool", "ls", "--server", address, "--key-file", key.toString());
        assertThat(ran.exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(ran.err()).startsWith("entrepot: pool.unavailable.unreachable: ").hasLineCount(1);
    }

    @Test
    void options_thatDoNotFit_areAUsageError() {
        assertThat(Ran.command("pool", "ls", "--server", "http://127.0.0.1:1", "--data", data.toString()).exit())
                .isEqualTo(ExitCode.USAGE);
        assertThat(Ran.command("pool", "ls", "--server", "http://127.0.0.1:1", "--profile", "x").exit())
                .isEqualTo(ExitCode.USAGE);
        assertThat(Ran.command("pool", "ls", "--server", "nonsense", "--key-file", key.toString()).exit())
                .isEqualTo(ExitCode.USAGE);
        Ran local = there("pool", "restore", directory.toString());
        assertThat(local.err()).startsWith("entrepot: local-only: ");
        assertThat(local.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(Ran.pool(data, "recover").err()).startsWith("entrepot: local-only: a server has " + data);
    }

    @Test
    void care_throughANamedServer_isDoneThere() {
        Path backup = directory.resolve("backup");
        assertThat(there("pool", "backup", backup.toString()).out()).isEqualTo("written  " + backup + "\n");
        assertThat(there("pool", "watchers", "add", "in", directory.resolve("in-box").toString(), "--disabled").out())
                .startsWith("added  in  ");
        assertThat(there("pool", "watchers", "scan", "in").exit()).isZero();
        assertThat(there("pool", "check", "--deep").exit()).isZero();
        assertThat(there("pool", "cleanup", "--dry-run").out()).isEqualTo("nothing to do\n");
        assertThat(there("pool", "jobs", "list").out()).containsPattern("check +by hand +done");
        assertThat(there("pool", "uploads", "list").exit()).isZero();
    }

    /** Nobody waits for ever for what a server has forgotten, or takes another run for it. */
    @Test
    void work_whenTheServerWasStartedAgain_isUnknown() throws Exception {
        try (PoolAccess pool = PoolAccess.remote(named())) {
            LongWork<CheckReport> work = pool.care().check(CheckDepth.BOOKS);
            int port = URI.create(server.address()).getPort();
            server.close();
            server = ServedData.serve(data, port);
            assertThatThrownBy(() -> work.await(Duration.ofSeconds(1))).isInstanceOf(UnknownOutcomeException.class)
                    .satisfies(e -> assertThat(Complaint.about(e).exit()).isEqualTo(ExitCode.UNKNOWN));
            assertThat(there("pool", "check").exit()).isZero();
            assertThatThrownBy(() -> work.await(Duration.ofSeconds(1))).isInstanceOf(UnknownOutcomeException.class);
        }
    }

    private ClientConfig named() throws Exception {
        return ClientConfig.of(URI.create(server.address()), Files.readString(key).strip());
    }

    @Test
    void path_onAnotherMachine_isWrittenFromTheRoot() throws Exception {
        try (PoolAccess elsewhere = PoolAccess.remote(named());
                PoolAccess here = PoolAccess.remote(named().withSharedPaths())) {
            assertThatThrownBy(() -> elsewhere.there(Path.of("inbox"))).hasMessageContaining("on another machine");
            assertThat(elsewhere.there(Path.of("/srv/inbox"))).isEqualTo(Path.of("/srv/inbox"));
            assertThat(here.there(Path.of("inbox"))).isEqualTo(Path.of("inbox").toAbsolutePath());
        }
    }

    @Test
    void drain_whenItsCommandIsEnded_goesOnAtTheServer() throws Exception {
        Ran.pool(data, "volumes", "mount", "second", directory.resolve("second").toString(), "--headroom", "0");
        Ran.pool(data, "volumes", "read-only", "second");
        server.pool().uploads().begin(TenantId.DEFAULT, NewFile.unnamed()); // which it waits for
        Ran.pool(data, "volumes", "activate", "second");
        ChildCommand drain = ChildCommand.start(directory, "pool", "volumes", "drain", "main", "--data",
                data.toString());
        await().atMost(PATIENCE).until(() -> drain.errText().contains("waits for 1 upload"));
        drain.process().destroy();
        assertThat(drain.exit()).isEqualTo(128 + 15);
        assertThat(Files.readString(drain.out())).contains("which is drained further whenever the pool is open");
        assertThat(server.pool().jobs().get(new JobName("drain-main")).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void scrub_whenItsCommandIsEnded_isStoppedAtTheServer() throws Exception {
        server.close();
        server = ServedData.serve(data, Map.of("cleanup.scrub-rate", "1MiB"));
        Path large = Files.write(directory.resolve("large"), new byte[64 << 20]);
        Ran.pool(data, "put", large.toString());
        ChildCommand scrub = ChildCommand.start(directory, "pool", "scrub", "--data", data.toString());
        JobName job = new JobName("scrub");
        await().atMost(PATIENCE).until(() -> server.pool().jobs().get(job).state() == JobState.RUNNING);
        scrub.process().destroy();
        assertThat(scrub.exit()).isEqualTo(128 + 15);
        assertThat(scrub.errText()).contains("read, not all");
        assertThat(server.pool().jobs().get(job).state()).isEqualTo(JobState.CANCELLED);
    }

    /** What a server leaves behind that was killed must not stop anybody. */
    @Test
    void directory_withACredentialOfAServerThatIsGone_isOpened() throws Exception {
        byte[] left = Files.readAllBytes(data.resolve("entrepot.server"));
        String put = Ran.pool(data, "put", file.toString()).word();
        server.close();
        Files.write(data.resolve("entrepot.server"), left);
        assertThat(Ran.pool(data, "ls").out()).contains(put);
        try (Pool _ = Pool.open(data)) {
            assertThat(Ran.pool(data, "ls").err()).startsWith("entrepot: pool.unavailable.in-use: ").hasLineCount(1);
        }
    }

    @Test
    void work_throughAServer_runsTheCommandAndRenews() {
        there("pool", "put", file.toString());
        Ran work = Ran.command("work", "--server", server.address(), "--key-file", key.toString(), "--term", "1s", "--",
                "sh", "-c", "sleep 2; cat \"$1\"", "sh", "{}");
        assertThat(work.err()).containsPattern("1 file in .*: 1 completed\n$");
        assertThat(work.out()).isEqualTo("text of one\n");
        assertThat(there("pool", "ls").err()).isEqualTo("0 files, 0 B\n");
    }

    /** A key that is told no paths gets a copy, for its owner only, that goes with the command. */
    @Test
    void work_whenPathsAreNotTold_runsOnACopy() throws Exception {
        there("pool", "put", file.toString());
        Files.writeString(key, there("keys", "create", "worker", "--scope", "tenant:default:process").word());
        Path seen = directory.resolve("seen");
        Ran work = Ran.command("work", "--server", server.address(), "--key-file", key.toString(), "--", "sh", "-c",
                "stat -c %a \"$(dirname \"$1\")\" >" + seen + "; echo \"$1\" >>" + seen + "; cat \"$1\"", "sh", "{}");
        assertThat(work.err()).containsPattern("1 file in .*: 1 completed\n$");
        assertThat(work.out()).isEqualTo("text of one\n");
        assertThat(Files.readAllLines(seen).getFirst()).isEqualTo("700");
        assertThat(Path.of(Files.readAllLines(seen).getLast())).doesNotExist();
    }

    @Test
    void work_whenTheServerGoesMeanwhile_completesWhenItIsBack() throws Exception {
        there("pool", "put", file.toString());
        int port = URI.create(server.address()).getPort();
        Path started = directory.resolve("started");
        Path go = directory.resolve("go");
        ChildCommand child = ChildCommand.start(directory, "work", "--server", server.address(), "--key-file",
                key.toString(), "--wait", "--", "sh", "-c", "touch " + started + "; until [ -e " + go
                        + " ]; do sleep 0.05; done");
        await().atMost(PATIENCE).until(() -> Files.exists(started));
        server.close();
        Files.createFile(go);
        await().atMost(PATIENCE).until(() -> child.errText().contains("waiting for the server: "));
        server = ServedData.serve(data, port);
        await().atMost(PATIENCE).until(() -> child.errText().contains("completed "));
        child.process().destroy();
        assertThat(child.exit()).isEqualTo(143);
        assertThat(there("pool", "ls").err()).isEqualTo("0 files, 0 B\n");
    }

    /** Its address and its key are others then: they are read again from the data directory. */
    @Test
    void work_onTheDataDirectoryOfAServerThatIsStartedAgain_goesOn() throws Exception {
        Ran.pool(data, "put", file.toString());
        Path started = directory.resolve("started");
        Path go = directory.resolve("go");
        ChildCommand child = ChildCommand.start(directory, "work", "--data", data.toString(), "--wait", "--", "sh",
                "-c",
                "echo once >> " + started + "; until [ -e " + go + " ]; do sleep 0.05; done");
        await().atMost(PATIENCE).until(() -> Files.exists(started));
        startAgain();
        Files.createFile(go);
        await().atMost(PATIENCE).until(() -> child.errText().contains("completed "));
        startAgain(); // while it waits for files
        Ran.pool(data, "put", file.toString());
        await().atMost(PATIENCE).until(() -> child.errText().split("completed ", -1).length == 3);
        child.process().destroy();
        assertThat(child.exit()).isEqualTo(143);
        assertThat(Files.readAllLines(started)).hasSize(2);
        assertThat(Ran.pool(data, "ls").err()).isEqualTo("0 files, 0 B\n");
    }

    @Test
    void tail_onTheDataDirectoryOfAServerThatIsStartedAgain_goesOn() throws Exception {
        ChildCommand tail = ChildCommand.start(directory, "tail", "--data", data.toString(), "--after=", "--type",
                "file.written", "--max", "2");
        Ran.pool(data, "put", file.toString());
        await().atMost(PATIENCE).until(() -> Files.readString(tail.out()).contains("file.written"));
        server.close();
        await().atMost(PATIENCE).until(() -> tail.errText().contains("tried again"));
        server = ServedData.serve(data);
        Ran.pool(data, "put", file.toString());
        assertThat(tail.exit()).as(tail.errText()).isZero();
        assertThat(Files.readAllLines(tail.out())).hasSize(2);
        assertThat(tail.errText().lines()).first().asString()
                .startsWith("entrepot: warn: client: events cannot be followed now");
    }

    @Test
    void top_onTheDataDirectoryOfAServerThatIsStartedAgain_goesOn() throws Exception {
        ChildCommand top = ChildCommand.start(directory, "top", "--data", data.toString(), "--every", "100ms");
        await().atMost(PATIENCE).until(() -> Files.readString(top.out()).contains("TENANT"));
        server.close();
        await().atMost(PATIENCE).until(() -> top.errText().contains("waiting for the server: "));
        server = ServedData.serve(data);
        Ran.pool(data, "put", file.toString());
        await().atMost(PATIENCE).until(() -> Files.readString(top.out()).contains("11 B"));
        top.process().destroy();
        assertThat(top.exit()).isEqualTo(143);
    }

    /** Nobody else on the old address is taken for it. */
    @Test
    void client_thatWasFound_takesAServerThatDoesNotKnowItsKeyForOneThatIsAway() throws Exception {
        ClientConfig found = ClientConfig.found(data).orElseThrow().withDeadline(Duration.ZERO);
        int port = URI.create(server.address()).getPort();
        server.close();
        server = ServedData.serve(directory.resolve("other"), port);
        try (PoolAccess pool = PoolAccess.remote(found)) {
            assertThatThrownBy(() -> pool.tenants().list()).isInstanceOf(PoolUnavailableException.class)
                    .hasMessageContaining("does not know the key");
        }
    }

    private void startAgain() throws Exception {
        server.close();
        server = ServedData.serve(data);
    }

    @Test
    void tail_tellsWhatHappenedAfterACursor() {
        String put = there("pool", "put", file.toString()).word();
        Ran tail = there("tail", "--after=", "--type", "file.*", "--max", "1", "--json", "--for", "30s");
        assertThat(tail.exit()).isZero();
        assertThat(tail.out()).contains("\"type\":\"file.written\"", put).hasLineCount(1);
        assertThat(there("tail", "--after=", "--tenant", "default", "--max", "1", "--for", "30s").err())
                .containsPattern("go on with --after=main:\\d+");
        assertThat(there("tail", "--after", "nonsense").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void top_once_showsQueues() {
        there("pool", "put", file.toString());
        assertThat(there("top", "--once", "--every", "100ms").out())
                .containsPattern("TENANT +PENDING .*\ndefault +1 +0 +0 +0 +11 B");
        assertThat(there("top", "--once", "--every", "100ms", "--json").out()).contains("\"pending\":1");
    }

    @Test
    void keys_areMadeListedAndRevoked() {
        Ran made = there("keys", "create", "reader", "--scope", "tenant:default:read", "--expires", "1d", "--json");
        assertThat(made.field("key")).startsWith("ek_");
        assertThat(there("keys", "list").out()).contains(made.field("id"), "reader", "tenant:default:read");
        assertThat(there("keys", "revoke", made.field("id")).out()).isEqualTo("revoked  " + made.field("id") + "\n");
        assertThat(there("keys", "list").out()).contains("revoked");
        assertThat(Ran.command("keys", "list", "--data", data.toString()).out()).contains("reader");
        Ran unknown = there("keys", "create", "x", "--scope", "all");
        assertThat(unknown.exit()).isEqualTo(ExitCode.REFUSED);
        assertThat(unknown.err()).contains("scopes").hasLineCount(1);
        assertThat(Ran.command("keys", "list", "--data", directory.resolve("none").toString()).err())
                .startsWith("entrepot: no-server: ");
    }

    @Test
    void server_whoseCertificateIsForAnotherName_isNotTakenForNone() throws Exception {
        server.close();
        Path keystore = directory.resolve("keystore");
        assertThat(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "x", "-keyalg", "EC", "-dname", "CN=files.example.org", "-storepass",
                "changeit", "-keystore", keystore.toString()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor()).isZero();
        server = ServedData.serve(data, Map.of("server.tls.keystore", keystore.toString(),
                "server.tls.keystore-password", "changeit"));
        for (Ran ran : List.of(Ran.pool(data, "ls"), Ran.command("keys", "list", "--data", data.toString()))) {
            assertThat(ran.exit()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(ran.err()).startsWith("entrepot: pool.unavailable.untrusted: a server has ")
                    .contains("--server").hasLineCount(1);
        }
    }

    @Test
    void keys_afterARestore_areHeldUntilTheyAreEnabled() throws Exception {
        Ran made = there("keys", "create", "reader", "--scope", "tenant:default:read", "--json");
        there("pool", "backup", directory.resolve("backup").toString());
        server.close();
        try (Stream<Path> books = Files.list(data)) {
            for (Path book : books.filter(path -> path.getFileName().toString().startsWith("entrepot.db")).toList()) {
                Files.delete(book);
            }
        }
        Ran restored = Ran.pool(data, "restore", directory.resolve("backup").toString());
        assertThat(restored.exit()).as(restored.err()).isZero();
        server = ServedData.serve(data);
        Files.writeString(key, server.firstKey().orElseThrow().written());
        assertThat(there("keys", "list").out()).containsPattern(made.field("id") + " .* held ");
        assertThat(there("keys", "list", "--json").out()).contains("\"held\":true");
        assertThat(there("keys", "enable", made.field("id")).out())
                .isEqualTo("enabled  " + made.field("id") + "  reader\n");
        assertThat(there("keys", "list").out()).doesNotContainPattern(made.field("id") + " .* held ");
        assertThat(there("keys", "enable").exit()).isZero();
        assertThat(there("keys", "list").out()).doesNotContain(" held ");
        assertThat(there("keys", "enable").err()).contains("no key is held");
    }

    @Test
    void key_ofTheEnvironment_isUsed() throws Exception {
        ChildCommand ls = ChildCommand.start(directory, Map.of("ENTREPOT_KEY", Files.readString(key).strip(),
                "ENTREPOT_SERVER", server.address()), "pool", "ls");
        assertThat(ls.exit()).as(ls.errText()).isZero();
        ChildCommand ofAFile = ChildCommand.start(directory, Map.of("ENTREPOT_KEY", "00000000000000017ea41b79e260127c",
                "ENTREPOT_SERVER", server.address()), "pool", "ls");
        assertThat(ofAFile.exit()).as("what work puts there is no key").isEqualTo(ExitCode.USAGE);
    }

    @Test
    void data_ofTheEnvironmentWithoutAName_isAUsageError() throws Exception {
        ChildCommand put = ChildCommand.start(directory, Map.of("ENTREPOT_DATA", ""), "pool", "put", file.toString());
        assertThat(put.exit()).as(put.errText()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void login_keepsTheKeyForItsOwnerOnly() throws Exception {
        Files.copy(key, directory.resolve("in"), StandardCopyOption.REPLACE_EXISTING);
        Map<String, String> home = Map.of("XDG_CONFIG_HOME", directory.resolve("config").toString());
        ChildCommand login = ChildCommand.start(directory, home, "login", "here", server.address());
        assertThat(login.exit()).as(login.errText()).isZero();
        assertThat(Files.readString(login.out(), StandardCharsets.UTF_8)).contains("here", "admin")
                .doesNotContain("ek_");
        Path profiles = directory.resolve("config/entrepot/profiles.toml");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(profiles))).isEqualTo("rw-------");
        ChildCommand ls = ChildCommand.start(directory, home, "pool", "ls", "--profile", "here");
        assertThat(ls.exit()).as(ls.errText()).isZero();
        Files.setPosixFilePermissions(profiles, PosixFilePermissions.fromString("rw-r-----"));
        ChildCommand open = ChildCommand.start(directory, home, "pool", "ls", "--profile", "here");
        assertThat(open.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(open.errText()).startsWith("entrepot: profiles.readable-by-others: ");
    }

    @Test
    void completion_knowsCommandsAndOptions() {
        assertThat(Ran.command("completion", "bash").out()).contains("entrepot", "--server", "volumes", "drain");
        assertThat(Ran.command("completion", "tcsh").exit()).isEqualTo(ExitCode.USAGE);
    }
}
