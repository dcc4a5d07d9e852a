package io.entrepot.pool.internal;

import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** For what concerns all tenants, wherever their rows are. */
final class EveryStore {
    private static final Logger LOG = LoggerFactory.getLogger(EveryStore.class);

    private EveryStore() {}

    /** The main one first. A shard that cannot be opened is left out: only its tenant waits. */
    static List<Store> of(Stores stores) {
        List<Store> every = new ArrayList<>();
        every.add(stores.main());
        for (Owner owner : stores.sharded()) {
            try {
                every.add(stores.store(owner));
            } catch (StoreException e) {
                LOG.warn("tenant {} is left out: {}", owner, e.getMessage());
            }
        }
        return every;
    }
}
