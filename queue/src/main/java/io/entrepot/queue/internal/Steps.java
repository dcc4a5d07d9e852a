package io.entrepot.queue.internal;

import io.entrepot.queue.ItemLease;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The steps that every item goes through, in the statements that the database at hand does best. Thread-safe. */
interface Steps {

    /** Takes the first so many items out of each queue, and returns them in their order; none of a paused queue. */
    Map<Lane, List<Found>> take(Transaction tx, Map<Lane, Integer> wanted);

    /** Writes who holds what: rows as {@link ClaimOperation.Request#held}. */
    default void hold(Transaction tx, List<@Nullable Object[]> rows) {
        tx.updateEach("INSERT INTO held (id, queue, epoch, nonce, holder, term, since, keeper) VALUES $rows", rows);
    }

    /** Takes items out of each queue for those who ask, as much as they want, and holds them: who asks first gets first. */
    default Map<Lane, List<Found>> takeFor(Transaction tx, Map<Lane, List<ClaimOperation.Request>> asked, long keeper) {
        Map<Lane, Integer> wanted = new LinkedHashMap<>();
        asked.forEach((lane, who) -> wanted.put(lane, ClaimOperation.Request.wanted(who)));
        Map<Lane, List<Found>> found = take(tx, wanted);
        List<@Nullable Object[]> rows = new ArrayList<>();
        found.forEach((lane, some) -> {
            Iterator<Found> next = some.iterator();
            for (ClaimOperation.Request request : asked.getOrDefault(lane, List.of())) {
                for (int n = request.max(); n > 0 && next.hasNext(); n--) {
                    rows.add(request.held(next.next(), tx.now(), keeper));
                }
            }
        });
        hold(tx, rows);
        return found;
    }

    /** Until this unit commits, nobody else claims with these keys; they are in the same order wherever they are named. */
    void lock(Transaction tx, SortedSet<String> keys);

    /** Makes items ready: each row has the queue, the rank and the item's number. */
    void makeReady(Transaction tx, List<@Nullable Object[]> rows);

    /** Those of the queues, by their numbers, that have something to be claimed. */
    List<Long> ready(Snapshot snapshot, List<@Nullable Object[]> queues);

    /** Ends those leases that are current, and their items with them; returns which, with their queues. */
    Map<ItemLease, Lane> finish(Transaction tx, SequencedSet<ItemLease> leases);

    /** Does what keeps the steps fast. Called by one thread at a time. */
    void tend();

    /** {@code nudge} is called when there is something to {@link #tend}. */
    static Steps of(Store store, Lanes lanes, Holds holds, Ahead ahead, Runnable nudge) {
        return store.dialect().equals("postgres")
                ? new PostgresSteps(store, lanes, ahead, nudge)
                : new PlainSteps(lanes, holds, ahead);
    }
}
