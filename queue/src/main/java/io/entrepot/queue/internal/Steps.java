package io.entrepot.queue.internal;

import io.entrepot.queue.ItemLease;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** The two steps that every item goes through, in the statements that the database at hand does best. Stateless. */
interface Steps {

    /** Takes the first so many items out of each queue, and returns them in their order; none of a paused queue. */
    Map<Lane, List<Found>> take(Transaction tx, Map<Lane, Integer> wanted);

    /** Ends those leases that are current, and their items with them; returns which, with their queues. */
    Map<ItemLease, Lane> finish(Transaction tx, SequencedSet<ItemLease> leases);

    static Steps of(Store store, Lanes lanes, Holds holds) {
        return store.dialect().equals("postgres") ? new PostgresSteps(lanes) : new PlainSteps(lanes, holds);
    }
}
