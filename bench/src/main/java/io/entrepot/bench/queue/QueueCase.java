package io.entrepot.bench.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One case of the bench: a load, who is measured beside us, and what we should reach. Immutable.
 *
 * @param goals at least so many times the figure of a peer
 */
record QueueCase(PairLoad load, List<String> peers, Map<String, Double> goals) {

    QueueCase {
        peers = List.copyOf(peers);
        goals = Collections.unmodifiableMap(new LinkedHashMap<>(goals));
    }

    static QueueCase of(int workers, int tenants, int batch, int items) {
        return new QueueCase(new PairLoad(workers, tenants, batch, items), List.of(), Map.of());
    }

    QueueCase against(String... newPeers) {
        return new QueueCase(load, List.of(newPeers), goals);
    }

    QueueCase goal(double atLeast, String peer) {
        Map<String, Double> more = new LinkedHashMap<>(goals);
        more.put(peer, atLeast);
        return new QueueCase(load, peers, more);
    }
}
