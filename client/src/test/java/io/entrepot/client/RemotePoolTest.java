package io.entrepot.client;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same contract, on a pool behind a server. */
final class RemotePoolTest extends FilePoolContract {
    private RunningServer server;
    private EntrepotClient client;

    @BeforeEach
    void open() throws Exception {
        server = new RunningServer(directory.resolve("data"));
        server.pool().tenants().create(ACME);
        server.pool().tenants().create(new TenantId("other"));
        client = server.client();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Override
    FilePool pool() {
        return client;
    }

    @Override
    Pool underneath() {
        return server.pool();
    }
}
