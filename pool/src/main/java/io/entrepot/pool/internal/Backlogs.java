package io.entrepot.pool.internal;

import io.entrepot.pool.Backlog;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;

/** Counts what the volumes' keepers have still to do. Safe for use by many threads. */
public final class Backlogs {
    private final Stores stores;

    public Backlogs(Stores stores) {
        this.stores = stores;
    }

    /** A shard that cannot be read is left out: nothing is done for it either. */
    public Backlog count() {
        Backlog all = count(stores.main());
        for (Owner owner : stores.sharded()) {
            try {
                Backlog more = count(stores.store(owner));
                all = new Backlog(Math.min(Backlog.MOST, all.redo() + more.redo()),
                        Math.min(Backlog.MOST, all.doomed() + more.doomed()),
                        Math.min(Backlog.MOST, all.stuck() + more.stuck()));
            } catch (StoreException e) {
                // Told by whoever needs that shard.
            }
        }
        return all;
    }

    private static Backlog count(Store store) {
        return store.read(snapshot -> new Backlog(count(snapshot, "file_redo"), count(snapshot, "file_doomed"),
                count(snapshot, "file_stuck")));
    }

    /** Of so many that nobody waits for them to be counted. */
    private static long count(Snapshot snapshot, String table) {
        return snapshot.first("SELECT count(*) FROM (SELECT 1 FROM " + table + " LIMIT ?) AS waiting",
                row -> row.getLong(1), Backlog.MOST).orElse(0L);
    }
}
