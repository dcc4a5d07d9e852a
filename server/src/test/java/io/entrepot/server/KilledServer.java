package io.entrepot.server;

import java.nio.file.Path;

/** A server in a process of its own, to be killed: prints its address and key, and stays. */
final class KilledServer {

    private KilledServer() {}

    public static void main(String[] args) throws InterruptedException {
        Server server = Server.start(ServerConfig.in(Path.of(args[0])).withPort(0));
        System.out.println(server.address() + " " + server.firstKey().orElseThrow().written());
        Thread.currentThread().join();
    }
}
