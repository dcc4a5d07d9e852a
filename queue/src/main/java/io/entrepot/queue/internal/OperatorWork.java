package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What an operator may do to items without holding a lease. None of it completes or fails anything. Stateless.
 *
 * <p>Whoever has an item that is reset or removed loses it, whichever process counts the term: the others are told, or its
 * keeper would go on renewing the lease from memory.
 */
final class OperatorWork {
    private static final String TAKEN_BACK = "taken-back ";

    private final Lanes lanes;
    private final Holds holds;
    private final Steps steps;
    private final Past past;
    private final Arrivals arrivals;
    private final Returns returns;
    private final Ahead ahead;
    private final QueueConfig config;
    private final boolean shared;

    /** {@code shared}: whether there are other processes to be told. */
    OperatorWork(Lanes lanes, Holds holds, Steps steps, Past past, Arrivals arrivals, Returns returns, Ahead ahead,
            QueueConfig config, boolean shared) {
        this.lanes = lanes;
        this.holds = holds;
        this.steps = steps;
        this.past = past;
        this.arrivals = arrivals;
        this.returns = returns;
        this.ahead = ahead;
        this.config = config;
        this.shared = shared;
    }

    /** Makes an item ready again, as if it were new, whatever state it is in. Whoever has it loses it. */
    void reset(Transaction tx, ItemId item) {
        returns.giveBack(tx, item.number());
        reset(tx, Shelf.of(tx, lanes, item).orElseThrow(() -> new ItemNotFoundException(item)));
    }

    /** Makes a delayed item ready at once; what it has behind it stays. Says whether it was delayed. */
    boolean retryNow(Transaction tx, ItemId item) {
        Optional<Shelf> delayed = Shelf.of(tx, lanes, item).filter(shelf -> shelf.state() == ItemState.DELAYED);
        delayed.ifPresent(shelf -> {
            shelf.move(tx, steps, new Shelf.Move(ItemState.READY, back(tx, shelf), shelf.attempts(),
                    shelf.deliveries(), shelf.error(), line(tx, "made-ready", "", shelf)));
            arrivals.announce(tx, Map.of(shelf.lane(), new long[]{1}), OptionalLong.empty());
        });
        return delayed.isPresent();
    }

    /** Takes an item out if it is in one of the states; whoever has it loses it. Says whether it was. */
    boolean remove(Transaction tx, ItemId item, Set<ItemState> from, String note) {
        returns.giveBack(tx, item.number());
        Optional<Shelf> found = Shelf.of(tx, lanes, item).filter(shelf -> from.contains(shelf.state()));
        found.ifPresent(shelf -> remove(tx, shelf, "removed", note));
        return found.isPresent();
    }

    /** Says whether that was a change. */
    boolean pause(Transaction tx, QueueName queue, boolean paused) {
        Lane lane = lanes.lane(tx, queue);
        boolean changed = lanes.pause(tx, lane, paused);
        if (paused) {
            ahead.paused(tx, lane);
        }
        if (changed && !paused) {
            arrivals.announce(tx, Map.of(lane, new long[]{Long.MAX_VALUE}), OptionalLong.empty());
        }
        return changed;
    }

    /** Makes up to that many items ready again that have been dead since before the time; returns how many. */
    int retryDead(Transaction tx, Lane lane, long before, int most) {
        List<Long> ids = parked(tx, lane, ItemState.DEAD, before, most);
        ids.forEach(id -> Shelf.find(tx, lanes, id).ifPresent(shelf -> reset(tx, shelf)));
        return ids.size();
    }

    /** Removes up to that many kept or dead items that have been so since before the time; returns how many. */
    int purge(Transaction tx, Lane lane, ItemState state, long before, int most) {
        List<Long> ids = parked(tx, lane, state, before, most);
        for (long id : ids) {
            Shelf.find(tx, lanes, id).ifPresent(shelf -> remove(tx, shelf, "purged", ""));
        }
        return ids.size();
    }

    private void reset(Transaction tx, Shelf shelf) {
        shelf.move(tx, steps,
                new Shelf.Move(ItemState.READY, back(tx, shelf), 0, 0, null, line(tx, Trail.RESET, "", shelf)));
        shelf.holder().ifPresent(holder -> past.add(tx, shelf.id(), holder.fence(), Outcome.Kind.TAKEN_BACK,
                shelf.lane().id()));
        forgetHold(tx, shelf);
        arrivals.announce(tx, Map.of(shelf.lane(), new long[]{1}), OptionalLong.empty());
    }

    private void remove(Transaction tx, Shelf shelf, String what, String note) {
        past.removed(tx, shelf.id(), line(tx, what, note, shelf));
        shelf.remove(tx);
        forgetHold(tx, shelf);
    }

    private void forgetHold(Transaction tx, Shelf shelf) {
        shelf.holder().ifPresent(holder -> {
            tx.afterCommit(() -> holds.end(shelf.id(), holder.fence()));
            if (shared) {
                tx.tell(TAKEN_BACK + shelf.id() + ":" + holder.fence().epoch().value() + ":" + holder.fence().nonce());
            }
        });
    }

    /** What another process has told. If the item was claimed ahead here, nobody is given it either: its lease is not current. */
    void heard(String message) {
        if (message.startsWith(TAKEN_BACK)) {
            String[] words = message.substring(TAKEN_BACK.length()).split(":", -1);
            holds.end(Long.parseLong(words[0]),
                    new Fence(new Epoch(Long.parseLong(words[1])), Long.parseLong(words[2])));
        }
    }

    private long back(Transaction tx, Shelf shelf) {
        return Rank.of(tx.now(), shelf.priority(), config.priorityStep());
    }

    private static String line(Transaction tx, String what, String note, Shelf shelf) {
        return shelf.holder().map(holder -> Trail.line(holder.fence().epoch().value(), holder.since(), tx.now(),
                Outcome.Kind.TAKEN_BACK, holder.name(), "")).orElse("") + Trail.operator(tx.now(), what, note);
    }

    /** Up to that many items that have been kept or dead since before the time, oldest first. */
    static List<Long> parked(Snapshot snapshot, Lane lane, ItemState state, long before, int most) {
        return snapshot.query("SELECT id FROM parked WHERE queue = ? AND state = ? AND at < ? ORDER BY at, id LIMIT ?",
                row -> row.getLong(1), lane.id(), States.of(state), before, most);
    }
}
