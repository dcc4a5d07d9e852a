package io.entrepot.cli;

import io.entrepot.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same commands with the same answers, on a directory that a server has: they go through that, found by what it left there. */
class ServedPoolCommandTest extends PoolCommandTest {
    private Server server;

    @BeforeEach
    void serve() throws Exception {
        server = ServedData.serve(data);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The server knows whose key it was, and believes nobody the rest. */
    @Override
    String cameFrom() {
        return "http ";
    }

    @Override
    void put_whenOneCannotBeRead_storesTheOthersAndFails() {
        // is about a directory that is not there yet
    }

    @Override
    void directoryInUse_isSaidInOneLine() {
        // is about somebody who is no server
    }

    @Override
    void command_whenDirectoryIsNotThere_makesNone() {
        // is about a directory that is not there
    }
}
