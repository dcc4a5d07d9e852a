package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An item with where it stands, and moving it from there to somewhere else: the row in {@code ready}, {@code held} or
 * {@code parked}, the item's own row, and the counters, always together.
 */
record Shelf(long id, Lane lane, ItemState state, long place, int priority, int attempts, int deliveries, long epoch,
        @Nullable String error, Optional<Holder> holder) {

    /** Who has the item, and since when; and who counts the term. */
    record Holder(Fence fence, String name, long since, long keeper, long renewals) {}

    /** Where the item is to go, and what is to be known of it from then on. */
    record Move(ItemState to, long place, int attempts, int deliveries, @Nullable String error, String trail) {}

    static Optional<Shelf> find(Snapshot snapshot, Lanes lanes, long id) {
        return snapshot.first("SELECT i.queue, i.state, i.place, i.priority, i.attempts, i.deliveries, i.epoch,"
                + " h.epoch, h.nonce, h.holder, h.since, i.error, h.keeper, h.renewals FROM item i LEFT JOIN held h ON h.id = i.id WHERE i.id = ?",
                row -> {
                    String name = row.getString(10);
                    Optional<Holder> holder = name == null
                            ? Optional.empty()
                            : Optional.of(new Holder(new Fence(new Epoch(row.getLong(8)), row.getLong(9)), name,
                                    row.getLong(11), row.getLong(13), row.getLong(14)));
                    int state = row.getInt(2);
                    ItemState where = state != States.OPEN
                            ? States.parked(state)
                            : holder.isPresent() ? ItemState.HELD : ItemState.READY;
                    return new Shelf(id, lanes.lane(snapshot, row.getLong(1)), where, row.getLong(3), row.getInt(4),
                            row.getInt(5), row.getInt(6), row.getLong(7), row.getString(12), holder);
                }, id);
    }

    /** The item, if it is that owner's. */
    static Optional<Shelf> of(Snapshot snapshot, Lanes lanes, ItemId item) {
        return find(snapshot, lanes, item.number()).filter(shelf -> shelf.lane.name().owner().equals(item.owner()));
    }

    /** The item of a lease that is current. */
    static Optional<Shelf> current(Snapshot snapshot, Lanes lanes, ItemLease lease) {
        return of(snapshot, lanes, lease.item())
                .filter(shelf -> shelf.holder.filter(held -> held.fence.equals(lease.fence())).isPresent());
    }

    void move(Transaction tx, Steps steps, Move move) {
        takeOff(tx);
        switch (move.to) {
            case READY -> steps.makeReady(tx, List.<@Nullable Object[]>of(new Object[]{lane.id(), move.place, id}));
            case DELAYED, KEPT, DEAD -> tx.update("INSERT INTO parked (queue, state, at, id) VALUES (?, ?, ?, ?)",
                    lane.id(), States.of(move.to), move.place, id);
            case HELD -> throw new IllegalArgumentException("only a claim gives an item to a holder");
        }
        tx.add(lane.counter(move.to), 1);
        long lastEpoch = holder.map(held -> held.fence.epoch().value()).orElse(epoch);
        tx.update("UPDATE item SET state = ?, place = ?, epoch = ?, attempts = ?, deliveries = ?, error = ?, trail = "
                + Trail.SHORTENED + " || ? WHERE id = ?", States.of(move.to), move.place, lastEpoch, move.attempts,
                move.deliveries, move.error, move.trail, id);
    }

    /** Takes the item from where it waits; a holder gets it. One that was delayed has that place in the order now. */
    void takeForHolder(Transaction tx, long back) {
        takeOff(tx);
        if (state == ItemState.DELAYED) {
            tx.update("UPDATE item SET state = 0, place = ? WHERE id = ?", back, id);
        }
        tx.add(lane.counter(ItemState.HELD), 1);
    }

    /** Takes the item out altogether. Its history and outcome are for the caller to keep. */
    void remove(Transaction tx) {
        takeOff(tx);
        tx.update("DELETE FROM item WHERE id = ?", id);
    }

    private void takeOff(Transaction tx) {
        int gone = switch (state) {
            case READY -> tx.update("DELETE FROM ready WHERE queue = ? AND rank = ? AND id = ?", lane.id(), place, id);
            case HELD -> tx.update("DELETE FROM held WHERE id = ?", id);
            case DELAYED, KEPT, DEAD -> tx.update(
                    "DELETE FROM parked WHERE queue = ? AND state = ? AND at = ? AND id = ?", lane.id(),
                    States.of(state), place, id);
        };
        if (gone != 1) {
            throw new IllegalStateException("item " + id + " is not where its row says: " + this);
        }
        tx.add(lane.counter(state), -1);
    }
}
