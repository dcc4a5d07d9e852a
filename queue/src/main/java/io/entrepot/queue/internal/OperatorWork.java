package io.entrepot.queue.internal;

import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueConfig;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What an operator may do to items without holding a lease. None of it completes or fails anything. Stateless. */
final class OperatorWork {
    private final Lanes lanes;
    private final Holds holds;
    private final Steps steps;
    private final Past past;
    private final Arrivals arrivals;
    private final QueueConfig config;

    OperatorWork(Lanes lanes, Holds holds, Steps steps, Past past, Arrivals arrivals, QueueConfig config) {
        this.lanes = lanes;
        this.holds = holds;
        this.steps = steps;
        this.past = past;
        this.arrivals = arrivals;
        this.config = config;
    }

    /** Makes an item ready again, as if it were new, whatever state it is in. Whoever has it loses it. */
    void reset(Transaction tx, ItemId item) {
        Shelf shelf = Shelf.find(tx, lanes, item.number())
                .filter(found -> found.lane().name().owner().equals(item.owner()))
                .orElseThrow(() -> new ItemNotFoundException(item));
        reset(tx, shelf);
    }

    /** Makes up to that many items ready again that have been dead since before the time; returns how many. */
    int retryDead(Transaction tx, Lane lane, long before, int most) {
        List<Long> ids = parked(tx, lane, States.DEAD, before, most);
        ids.forEach(id -> Shelf.find(tx, lanes, id).ifPresent(shelf -> reset(tx, shelf)));
        return ids.size();
    }

    /** Removes up to that many kept or dead items that have been so since before the time; returns how many. */
    int purge(Transaction tx, Lane lane, ItemState state, long before, int most) {
        List<Long> ids = parked(tx, lane, States.of(state), before, most);
        for (long id : ids) {
            Shelf.find(tx, lanes, id).ifPresent(shelf -> {
                past.removed(tx, id, line(tx, "purged", shelf));
                shelf.remove(tx);
            });
        }
        return ids.size();
    }

    private void reset(Transaction tx, Shelf shelf) {
        shelf.move(tx, steps,
                new Shelf.Move(ItemState.READY, Rank.of(tx.now(), shelf.priority(), config.priorityStep()), 0, 0,
                        null, line(tx, "reset", shelf)));
        shelf.holder().ifPresent(holder -> {
            past.add(tx, shelf.id(), holder.fence(), Outcome.Kind.TAKEN_BACK, shelf.lane().id());
            tx.afterCommit(() -> holds.end(shelf.id(), holder.fence()));
        });
        arrivals.announce(tx, Map.of(shelf.lane(), new long[]{1}), OptionalLong.empty());
    }

    private static String line(Transaction tx, String what, Shelf shelf) {
        return shelf.holder().map(holder -> Trail.line(holder.fence().epoch().value(), holder.since(), tx.now(),
                Outcome.Kind.TAKEN_BACK, holder.name(), "")).orElse("") + Trail.operator(tx.now(), what);
    }

    private static List<Long> parked(Transaction tx, Lane lane, int state, long before, int most) {
        return tx.query("SELECT id FROM parked WHERE queue = ? AND state = ? AND at < ? ORDER BY at, id LIMIT ?",
                row -> row.getLong(1), lane.id(), state, before, most);
    }
}
