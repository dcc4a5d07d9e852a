package io.entrepot.bench.queue.peers;

import io.entrepot.bench.queue.PairLoad;

/** Another queue, ready to be measured. Use from one thread. */
public interface Peer {

    /** As it is called in tables and goals. */
    String name();

    /** What a reader must know to compare: how it was set up, and what it does not do that ours does. */
    String note();

    /**
     * Pairs of claim and finish per second, from a queue that holds the load's items and nothing else. A slow peer takes
     * fewer items than the load has.
     */
    double measure(PairLoad load) throws Exception;
}
