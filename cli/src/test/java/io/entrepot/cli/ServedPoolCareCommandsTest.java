package io.entrepot.cli;

import io.entrepot.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same through a server. */
class ServedPoolCareCommandsTest extends PoolCareCommandsTest {
    private Server server;

    @BeforeEach
    void serve() throws Exception {
        server = ServedData.serve(data);
    }

    @AfterEach
    void stop() {
        server.close();
    }
}
