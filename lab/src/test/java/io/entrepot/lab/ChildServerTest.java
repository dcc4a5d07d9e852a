package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildServerTest {

    @TempDir
    Path directory;

    /** A server as a program of its own; it says who it is. */
    static final class Web {

        private Web() {}

        public static void main(String[] line) throws IOException {
            HttpServer.create(new InetSocketAddress(line[0], Integer.parseInt(line[1])), 0).start();
            Files.writeString(Path.of(line[2]), "" + ProcessHandle.current().pid());
        }
    }

    /** Starts the web server for its own parent, and waits for its death. */
    static final class Keeper {

        private Keeper() {}

        public static void main(String[] line) throws Exception {
            Parent parent = Parent.connect();
            try (ChildServer<InetSocketAddress> server = start(Path.of(line[0]))) {
                parent.say("" + server.address().getPort());
                parent.ready();
                parent.next();
            }
        }
    }

    private static ChildServer<InetSocketAddress> start(Path directory) throws IOException {
        InetSocketAddress address = ChildServer.freeAddress();
        ChildSpec web = ChildSpec.of(Web.class, address.getHostString(), "" + address.getPort(),
                directory.resolve("pid").toString());
        return ChildServer.start(web.command(), Map.of(), address, directory.resolve("log"));
    }

    @Test
    void close_leavesNoProcess() throws Exception {
        ChildServer<InetSocketAddress> server = start(directory);
        new Socket(server.address().getAddress(), server.address().getPort()).close();
        ProcessHandle program = program();
        server.close();
        server.close();
        assertThat(program.isAlive()).isFalse();
        assertThatThrownBy(() -> new Socket(server.address().getAddress(), server.address().getPort()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void start_saysWhatTheProgramSaid_whenItEndsAtOnce() throws Exception {
        InetSocketAddress address = ChildServer.freeAddress();
        assertThatThrownBy(() -> ChildServer.start(List.of("sh", "-c", "echo no such luck; exit 3"), Map.of(), address,
                directory.resolve("log"))).isInstanceOf(IOException.class).hasMessageContaining("no such luck");
    }

    @Test
    void server_ends_whenItsParentIsKilled() throws Exception {
        ChildJvm keeper = ChildJvm.start(ChildSpec.of(Keeper.class, directory.toString()));
        keeper.awaitReady(Duration.ofSeconds(30));
        ProcessHandle program = program();
        assertThat(program.isAlive()).isTrue();
        keeper.kill9();
        program.onExit().get();
        assertThat(program.isAlive()).isFalse();
    }

    private ProcessHandle program() throws IOException {
        Path pid = directory.resolve("pid");
        while (!Files.exists(pid) || Files.size(pid) == 0) {
            Thread.onSpinWait();
        }
        return ProcessHandle.of(Long.parseLong(Files.readString(pid))).orElseThrow();
    }
}
