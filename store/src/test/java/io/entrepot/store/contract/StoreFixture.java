package io.entrepot.store.contract;

import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;

/** What an implementation of {@link Store} brings to be tested: one database that lives as long as the fixture. */
public interface StoreFixture extends AutoCloseable {

    /** Opens the database, new at first, afterwards as it was left. The store before it has been closed. */
    Store open(StoreConfig config);

    /**
     * What a {@code kill -9} at this moment would leave becomes the database; the store that was open knows nothing of
     * it and is closed with the fixture. Nobody writes meanwhile, or whoever does stands still.
     */
    void crash();

    /** Ends everything that is still open, and its threads. */
    @Override
    void close();
}
