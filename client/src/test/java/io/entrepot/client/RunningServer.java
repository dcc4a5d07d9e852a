package io.entrepot.client;

import io.entrepot.pool.Pool;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.access.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** A real server on a free port, which can be started again on the same port and data. */
final class RunningServer implements AutoCloseable {
    private final Path data;
    private final String key;
    private final int port;
    private Server server;

    RunningServer(Path data) throws InterruptedException {
        this(data, ServerConfig.in(data));
    }

    RunningServer(Path data, ServerConfig config) throws InterruptedException {
        this.data = data;
        this.server = Server.start(config.withPort(0));
        this.key = server.firstKey().map(Secret::written).orElseThrow();
        this.port = address().getPort();
    }

    URI address() {
        return URI.create(server.address());
    }

    int port() {
        return port;
    }

    String key() {
        return key;
    }

    Pool pool() {
        return server.pool();
    }

    EntrepotClient client() {
        return EntrepotClient.connect(config());
    }

    ClientConfig config() {
        return ClientConfig.of(address(), key).withDeadline(Duration.ofSeconds(20));
    }

    /** The same by way of somebody who may cut connections. */
    ClientConfig config(Cutter cutter) {
        return ClientConfig.of(URI.create("http://127.0.0.1:" + cutter.port()), key)
                .withDeadline(Duration.ofSeconds(20));
    }

    void stop() {
        server.close();
    }

    void startAgain() throws InterruptedException {
        server = Server.start(ServerConfig.in(data).withPort(port));
    }

    @Override
    public void close() {
        server.close();
    }
}
