package io.entrepot.bench.queue.peers;

import java.io.IOException;
import java.util.List;

/** A server that was started for the run, and the peers that use it. Gone with all its processes when closed. */
interface PeerServer extends AutoCloseable {

    List<Peer> peers();

    @Override
    void close() throws IOException;
}
