package io.entrepot.bench.http;

import io.entrepot.lab.Parent;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import java.net.URI;
import java.nio.file.Path;

/** A server in a process of its own: its first command is a directory, it says its port and its key, and syncs its volumes when told. */
final class ServerChild {
    static final String SYNC = "sync";

    private ServerChild() {}

    public static void main(String[] args) throws InterruptedException {
        Parent parent = Parent.connect();
        parent.ready();
        Server server = Server.start(ServerConfig.in(Path.of(parent.next())).withPort(0));
        parent.say(URI.create(server.address()).getPort() + " " + server.firstKey().orElseThrow().written());
        while (true) {
            String _ = parent.next();
            server.pool().volumes().sync();
            parent.say(SYNC);
        }
    }
}
