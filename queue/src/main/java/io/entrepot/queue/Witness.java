package io.entrepot.queue;

import io.entrepot.store.Transaction;

/**
 * Is told of leases that ended without their holder's doing: they ran out. Whoever keeps rows of its own in step with the
 * queue, or publishes what happens, does so here for what no call of its own has brought about.
 *
 * <p>Told in the transaction that ends the lease, after the queue has written its part: both are durable, or neither. On
 * PostgreSQL it is the process that ends the lease whose witness is told, which need not be the one that granted it; so all
 * processes bring the same.
 *
 * <p>Must be safe for use by many threads, short, and change nothing outside of the transaction, which may be run again
 * ({@link Transaction}). If it throws, the lease does not end, and that is tried again a while later.
 */
@FunctionalInterface
public interface Witness {
    /** Nobody wants to know. */
    Witness NONE = (_, _, _, _, _) -> {};

    /**
     * @param kind how the lease ended: {@link Outcome.Kind#EXPIRED}
     * @param to where the item is now: ready again, or dead because that happened too often
     * @param note why, as in the item's history
     */
    void ended(Transaction tx, ItemId item, Outcome.Kind kind, ItemState to, String note);
}
