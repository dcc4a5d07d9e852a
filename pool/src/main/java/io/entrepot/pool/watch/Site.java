package io.entrepot.pool.watch;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.Owners;
import io.entrepot.pool.internal.Parts;
import io.entrepot.posix.BytePath;
import io.entrepot.scan.StableFiles;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the parts of one look share: the rule it goes by, the tree it looks at, and what it writes down. */
record Site(Parts parts, FileDesk desk, Rule rule, SourceTree tree, StableFiles stable, FailureBook failures,
        Tally tally) {

    WatcherSpec spec() {
        return rule.spec();
    }

    PoolConfig config() {
        return parts.config();
    }

    boolean keeps() {
        return spec().postImport() instanceof PostImport.Keep;
    }

    /** Whether only that tenant waits if its database fails. */
    boolean isSharded(TenantId tenant) {
        return parts.stores().sharded().contains(Owners.of(tenant));
    }

    /** Something that is done in every store. */
    interface InStore {
        void take(Store store) throws IOException, InterruptedException;
    }

    /** A shard that fails has its turn later. */
    void inEveryStore(InStore step) throws IOException, InterruptedException {
        for (Store store : everyStore()) {
            try {
                step.take(store);
            } catch (StoreException e) {
                if (store.equals(parts.stores().main())) {
                    throw e;
                }
            }
        }
    }

    /** As {@link StableFiles} knows a file. */
    BytePath absolute(BytePath path) {
        return tree.root().resolve(path);
    }

    /** Where records of this watcher may be; a shard that cannot be read now has its turn later. */
    List<Store> everyStore() {
        return everyStore(parts);
    }

    static List<Store> everyStore(Parts parts) {
        List<Store> every = new ArrayList<>(List.of(parts.stores().main()));
        for (Owner owner : parts.stores().sharded()) {
            try {
                every.add(parts.stores().store(owner));
            } catch (StoreException e) {
                // Reported by whoever asks for that tenant, and by the check.
            }
        }
        return every;
    }
}
