package io.entrepot.queue.internal;

import io.entrepot.queue.ItemState;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Gives back what was claimed {@linkplain Ahead ahead} for somebody who did not come: to its place, and nothing is told of it in
 * its history, since nobody ever had it. Only its epoch is used up. Thread-safe.
 */
final class Returns {
    private final Store store;
    private final Lanes lanes;
    private final Holds holds;
    private final Steps steps;
    private final Arrivals arrivals;
    private final Ahead ahead;

    Returns(Store store, Lanes lanes, Holds holds, Steps steps, Arrivals arrivals, Ahead ahead) {
        this.store = store;
        this.lanes = lanes;
        this.holds = holds;
        this.steps = steps;
        this.arrivals = arrivals;
        this.ahead = ahead;
    }

    /** What has waited in these queues, or is on its way back there. Says whether there was anything. */
    boolean giveBackTo(Collection<Lane> queues) {
        List<Ahead.Entry> entries = ahead.recallFrom(queues);
        giveBack(entries);
        return !entries.isEmpty();
    }

    /** Only what is on its way back there. */
    void settle(Collection<Lane> queues) {
        giveBack(ahead.returningTo(queues));
    }

    /** What nobody has come for. */
    void giveBackStale() {
        giveBack(ahead.recallStale());
    }

    /** Everything, once what is being committed now has been. */
    void close() {
        if (ahead.close()) {
            store.write(Owner.SYSTEM, tx -> {
                giveBack(tx, ahead.returning());
                return true;
            });
        }
    }

    /** The item, if it waits for somebody, within the caller's transaction: others may have it, or it may go. */
    void giveBack(Transaction tx, long item) {
        ahead.recall(item).ifPresent(entry -> giveBack(tx, List.of(entry)));
    }

    private void giveBack(List<Ahead.Entry> entries) {
        Map<Owner, List<Ahead.Entry>> byOwner = new HashMap<>();
        entries.forEach(entry -> byOwner.computeIfAbsent(entry.claimed().item().owner(), _ -> new ArrayList<>())
                .add(entry));
        byOwner.forEach((owner, some) -> store.write(owner, tx -> {
            giveBack(tx, some);
            return true;
        }));
    }

    private void giveBack(Transaction tx, List<Ahead.Entry> entries) {
        Map<Lane, long[]> ready = new HashMap<>();
        for (Ahead.Entry entry : entries) {
            Shelf.current(tx, lanes, entry.claimed().lease()).ifPresent(shelf -> {
                shelf.move(tx, steps, new Shelf.Move(ItemState.READY, shelf.place(), shelf.attempts(),
                        shelf.deliveries(), shelf.error(), ""));
                ready.computeIfAbsent(shelf.lane(), _ -> new long[1])[0]++;
            });
        }
        arrivals.announce(tx, ready, OptionalLong.empty());
        tx.afterCommit(() -> entries.forEach(entry -> {
            holds.end(entry.item(), entry.claimed().lease().fence());
            ahead.returned(entry);
        }));
    }
}
