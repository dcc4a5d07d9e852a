package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Witness;
import io.entrepot.store.Transaction;
import java.util.concurrent.atomic.LongAdder;

/** Tells of files whose leases ran out, as nobody is there to be told otherwise, and counts them. Safe for use by many threads. */
final class Expiries implements Witness {
    private final LongAdder count = new LongAdder();
    private final Measures measures;

    Expiries(Measures measures) {
        this.measures = measures;
    }

    @Override
    public void ended(Transaction tx, ItemId item, Outcome.Kind kind, ItemState to, String note) {
        tx.publish(item.owner(), to == ItemState.DEAD ? "file.failed-permanently" : "file.lease-expired",
                key(tx, item), new Body().with("error", note).toString());
        tx.afterCommit(count::increment);
        TenantId tenant = new TenantId(item.owner().name());
        tx.afterCommit(() -> {
            measures.files(PoolObserver.Fate.EXPIRED, tenant, 1, 0);
            if (to == ItemState.DEAD) {
                measures.files(PoolObserver.Fate.GIVEN_UP, tenant, 1, 0);
            }
        });
    }

    /** Since the pool was opened. */
    long count() {
        return count.sum();
    }

    private static String key(Transaction tx, ItemId item) {
        return tx.first("SELECT f.nonce FROM tenant t JOIN file f ON f.tenant = t.id WHERE t.name = ? AND f.id = ?",
                row -> new FileKey(item.number(), row.getLong(1)), item.owner().name(), item.number())
                .map(FileKey::toString).orElseGet(item::toString);
    }
}
