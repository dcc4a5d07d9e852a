package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
    private final Operation<List<Ahead.Entry>, Boolean> together = this::giveBackAll;

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
        byOwner.forEach((owner, some) -> store.write(owner, together, some));
    }

    /** Many callers want the same back at the same moment; only the first of them has anything to do. */
    private List<Boolean> giveBackAll(Transaction tx, List<List<Ahead.Entry>> requests) {
        giveBack(tx, ahead.stillReturning(requests.stream().flatMap(List::stream)));
        return Collections.nCopies(requests.size(), true);
    }

    private record Back(long id, long epoch, Lane lane, long place) {}

    private void giveBack(Transaction tx, Collection<Ahead.Entry> entries) {
        List<Back> back = tx.queryEach("""
                                       WITH e (id, epoch, nonce) AS (VALUES $rows)
                                       SELECT h.id, h.epoch, h.queue, i.place FROM e
                                       JOIN held h ON h.id = e.id AND h.epoch = e.epoch AND h.nonce = e.nonce
                                       JOIN item i ON i.id = h.id""",
                row -> new Back(row.getLong(1), row.getLong(2), lanes.lane(tx, row.getLong(3)), row.getLong(4)),
                rows(entries, entry -> {
                    Fence fence = entry.claimed().lease().fence();
                    return new Object[]{entry.item(), fence.epoch().value(), fence.nonce()};
                }));
        tx.updateEach("DELETE FROM held WHERE id IN (VALUES $rows)", rows(back, one -> new Object[]{one.id}));
        tx.updateEach(
                "WITH e (id, epoch) AS (VALUES $rows) UPDATE item SET epoch = e.epoch FROM e WHERE item.id = e.id",
                rows(back, one -> new Object[]{one.id, one.epoch}));
        steps.makeReady(tx, rows(back, one -> new Object[]{one.lane.id(), one.place, one.id}));
        Map<Lane, long[]> ready = new HashMap<>();
        back.forEach(one -> ready.computeIfAbsent(one.lane, _ -> new long[1])[0]++);
        ready.forEach((lane, n) -> {
            tx.add(lane.counter(ItemState.HELD), -n[0]);
            tx.add(lane.counter(ItemState.READY), n[0]);
        });
        arrivals.announce(tx, ready, OptionalLong.empty());
        tx.afterCommit(() -> entries.forEach(entry -> {
            holds.end(entry.item(), entry.claimed().lease().fence());
            ahead.returned(entry);
        }));
    }

    private static <T> List<@Nullable Object[]> rows(Collection<T> all, Function<T, @Nullable Object[]> row) {
        List<@Nullable Object[]> rows = new ArrayList<>(all.size());
        all.forEach(one -> rows.add(row.apply(one)));
        return rows;
    }
}
