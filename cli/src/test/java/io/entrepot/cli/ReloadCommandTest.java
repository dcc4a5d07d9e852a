package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server, told by a signal and by a command to read its configuration again. One for all tests: it takes seconds to start. */
class ReloadCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private static Path data;
    private static Path file;
    private static ChildCommand server;

    @BeforeAll
    static void serve() throws Exception {
        data = directory.resolve("data");
        file = write("");
        Files.createFile(directory.resolve("in"));
        server = ChildCommand.startHearingHangups(directory,
                Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + classes()),
                "serve", "--config", file.toString(), "--port", "0");
        await().atMost(PATIENCE).until(() -> Files.readString(server.out()).contains("API"));
    }

    /** As it was at the beginning. */
    @BeforeEach
    void setBack() throws Exception {
        write("");
        assertThat(Ran.command("config", "reload", "--data", data.toString()).exit()).isZero();
    }

    @AfterAll
    static void stop() throws Exception {
        server.process().destroy();
        assertThat(server.exit()).isEqualTo(143);
    }

    private static Path classes() {
        return directory.resolve("classes");
    }

    private static Path write(String more) throws Exception {
        return Files.writeString(directory.resolve("e.toml"), "directory = \"data\"\n[server]\n" + more);
    }

    private static void hangUp() throws Exception {
        Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(server.process().pid())).inheritIO().start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    private static Ran put(int bytes) throws Exception {
        Path some = Files.writeString(directory.resolve("some"), "x".repeat(bytes));
        return Ran.pool(data, "put", some.toString());
    }

    @Test
    void signal_makesTheServerReadItAgain() throws Exception {
        assertThat(put(500).exit()).isZero();
        write("max-upload = \"100B\"\nlog-format = \"json\"\nport = 1\n");
        hangUp();
        await().atMost(PATIENCE).until(() -> server.errText().contains("server.max-upload"));
        // --port goes over the file: it is the same as before, and does not wait.
        assertThat(server.errText()).contains("configuration: server.max-upload: \\\"1TiB\\\" -> \\\"100B\\\"")
                .contains("{\"at\":").doesNotContain("server.port");
        assertThat(put(500).exit()).isNotZero();
        assertThat(put(50).exit()).isZero();

        write("max-upload = 100\n");
        hangUp();
        await().atMost(PATIENCE).until(() -> server.errText().contains("e.toml:3: server.max-upload"));
        assertThat(put(500).exit()).isNotZero();

        write("max-upload = \"1KiB\"\n");
        hangUp();
        await().atMost(PATIENCE).until(() -> put(500).exit() == 0);
    }

    @Test
    void command_findsTheServer_andTellsWhatCameOfIt() throws Exception {
        String at = data.toString();
        assertThat(Ran.command("config", "reload", "--data", at).err()).contains("nothing is different");
        write("max-upload = \"100B\"\nhost = \"0.0.0.0\"\n");
        Ran told = Ran.command("config", "reload", "--data", at);
        assertThat(told.exit()).as(told.err()).isZero();
        assertThat(told.out()).contains("changed  server.max-upload: \"1TiB\" -> \"100B\"")
                .contains("needs a restart  server.host: \"127.0.0.1\" -> \"0.0.0.0\"");
        assertThat(Ran.command("config", "reload", "--data", at, "--json").out()).contains(
                "\"setting\":\"server.host\"", "\"changed\":false", "\"needs\":\"restart\"");

        write("prot = 7\nmax-upload = 1\n");
        Ran wrong = Ran.command("config", "reload", "--data", at);
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err().lines()).hasSize(2)
                .allMatch(line -> line.startsWith("entrepot: config.invalid: ") && line.contains("e.toml:"));
        assertThat(put(500).exit()).isNotZero();
    }

    /** Who does not trace pays nothing for it. */
    @Test
    void server_withoutTracing_loadsNothingOfIt() throws Exception {
        assertThat(put(50).exit()).isZero();
        assertThat(Files.readString(classes())).contains("io.entrepot.server.trace.Tracing ")
                .doesNotContain("io.entrepot.server.trace.OtlpTracing", "io.entrepot.server.trace.Outbox",
                        "io.entrepot.server.trace.TraceContext");
    }

    @Test
    void command_withoutAServer_saysSo() {
        Ran none = Ran.command("config", "reload", "--data", directory.resolve("none").toString());
        assertThat(none.exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(none.err()).startsWith("entrepot: no-server: ");
    }

    @Test
    void print_saysWhatAChangeNeeds() {
        assertThat(Ran.command("config", "print", "--config", file.toString()).out())
                .contains("port = 8420  # default; restart", "max-upload = \"1TiB\"  # default; reload");
        assertThat(Ran.command("config", "print", "--config", file.toString(), "--json").out())
                .contains("\"setting\":\"server.port\"", "\"change\":\"restart\"", "\"change\":\"reload\"");
    }
}
