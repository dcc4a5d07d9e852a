package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
    @TempDir
    Path directory;

    private Ran serve(String... more) {
        String[] args = new String[more.length + 5];
        System.arraycopy(new String[]{"serve", "--data", directory.resolve("data").toString(), "--for", "1ms"}, 0, args,
                0, 5);
        System.arraycopy(more, 0, args, 5, more.length);
        return Ran.command(args);
    }

    @Test
    void serve_forTheFirstTime_showsItsAddressAndAKeyOnce() {
        Ran first = serve("--port", "0");
        assertThat(first.exit()).isZero();
        assertThat(first.out()).containsPattern("API +http://127.0.0.1:\\d+/v1")
                .containsPattern("key +ek_[a-z2-7]{12}_");
        Ran second = serve("--port", "0", "--json");
        assertThat(second.field("address")).startsWith("http");
        assertThat(second.out()).doesNotContain("ek_");
        assertThat(Files.exists(directory.resolve("data/entrepot.server"))).isFalse();
    }

    @Test
    void serve_whenThePortIsTaken_saysSo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ran ran = serve("--port", Integer.toString(taken.getLocalPort()));
            assertThat(ran.exit()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(ran.err()).startsWith("entrepot: server.cannot-listen: ").contains("--port").hasLineCount(1);
        }
    }

    @Test
    void config_isCheckedAndPrinted() throws Exception {
        Path file = Files.writeString(directory.resolve("e.toml"), """
                                                                   [database]
                                                                   kind = "postgres"
                                                                   url = "jdbc:postgresql://nowhere/x"
                                                                   user = "me"
                                                                   password = "hush"
                                                                   [server]
                                                                   port = 7
                                                                   """);
        Ran checked = Ran.command("config", "check", "--config", file.toString());
        assertThat(checked.out()).as(checked.err()).startsWith("no mistakes");
        assertThat(Ran.command("config", "print", "--config", file.toString()).out()).contains("port = 7  # ")
                .contains("password = \"***\"").doesNotContain("hush");
        Files.writeString(file, "[server]\nprot = 7\n");
        Ran wrong = Ran.command("config", "check", "--config", file.toString());
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("e.toml:2: server.prot: unknown key; did you mean server.port?");
    }

    /** A file with the server's settings is one for every other command too. */
    @Test
    void pool_withAFileThatHasAServerInIt_works() throws Exception {
        Path file = Files.writeString(directory.resolve("e.toml"), "[server]\nport = 7\n");
        assertThat(Ran.command("pool", "tenants", "list", "--config", file.toString()).exit()).isZero();
    }
}
