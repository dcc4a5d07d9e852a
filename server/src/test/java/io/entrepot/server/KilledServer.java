package io.entrepot.server;

import io.entrepot.config.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server in a process of its own, to be killed: prints its address and key, and stays. */
final class KilledServer {

    private KilledServer() {}

    public static void main(String[] args) throws InterruptedException {
        ServerConfig config = ServerSettings.read(Optional.empty(), System.getenv(), List.of(new Source("test",
                Map.of("directory", args[0])))).value();
        Server server = Server.start(config.withPort(0));
        System.out.println(server.address() + " " + server.firstKey().orElseThrow().written());
        Thread.currentThread().join();
    }
}
