package io.entrepot.bench.queue.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.bench.peers.TestCache;
import io.entrepot.bench.queue.PairLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every peer that needs PostgreSQL, as it is started once. */
class PostgresPeerTest {

    @TempDir
    static Path directory;

    private static PostgresPeers server;

    @BeforeAll
    static void start() throws IOException {
        server = PostgresPeers.start(directory, TestCache.PEERS.directory(), 300);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void peers_areThoseAnnounced() {
        assertThat(server.peers()).extracting(Peer::name).containsExactlyElementsOf(PostgresPeers.PEERS);
        assertThat(server.peers()).extracting(Peer::note).doesNotContain("");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void table_handsOutEachItemOnce(int rows) throws Exception {
        PostgresPeer peer = new PostgresPeer(server.database(), rows, 300);
        peer.fill(300);
        RoundTrip.empties(peer::open, rows, 300);
    }

    @Test
    void finish_isRefused_whenTheItemIsGone() throws Exception {
        PostgresPeer peer = new PostgresPeer(server.database(), 1, 300);
        peer.fill(1);
        try (PostgresLine line = peer.open()) {
            List<Long> claimed = line.claim(0, 1);
            line.finish(0, claimed);
            assertThatThrownBy(() -> line.finish(0, claimed)).isInstanceOf(SQLException.class)
                    .hasMessageContaining("not there any more");
        }
    }

    @Test
    void measure_beginsWithItsOwnItems_whateverWasLeft() throws Exception {
        for (Peer peer : server.peers()) {
            PairLoad load = new PairLoad(4, 1, 1, 200);
            assertThat(peer.measure(load)).as(peer.name()).isPositive();
            assertThat(peer.measure(load)).as(peer.name()).isPositive();
        }
    }
}
