package io.entrepot.bench.queue.peers;

import java.nio.file.Path;

/** Programs of peers that tests fetched or unpacked: kept until {@code mvn clean}. */
final class TestCache {

    static final PeerCache PEERS = new PeerCache(Path.of("target", "peers").toAbsolutePath());

    private TestCache() {}
}
