package io.entrepot.queue.contract;

import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.queue.Witness;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;

/** What a kind of store brings so that the queues on it can be tested: one place that lives as long as the fixture. */
public interface QueuesFixture extends AutoCloseable {

    /** Opens the queues, empty at first, afterwards as they were left; those opened before are closed. */
    Queues open(StoreConfig storeConfig, QueueConfig config, Witness witness);

    default Queues open(StoreConfig storeConfig, QueueConfig config) {
        return open(storeConfig, config, Witness.NONE);
    }

    /** The store in which that owner's queues are, among those opened last. */
    Store store(Owner owner);

    /** Ends everything that is still open, and its threads. */
    @Override
    void close();
}
