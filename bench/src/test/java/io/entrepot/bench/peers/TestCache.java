package io.entrepot.bench.peers;

import java.nio.file.Path;

/** Programs of peers that tests fetched or unpacked: kept until {@code mvn clean}. */
public final class TestCache {

    public static final PeerCache PEERS = new PeerCache(Path.of("target", "peers").toAbsolutePath());

    private TestCache() {}
}
