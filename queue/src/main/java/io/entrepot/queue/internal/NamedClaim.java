package io.entrepot.queue.internal;

import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemNotClaimableException;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueuePausedException;
import io.entrepot.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hands a certain item to a holder, whatever comes before it in its queue; also one that is delayed, which is then as if it
 * had become ready at that moment. From there on the lease is like any other. Refuses before it writes. Stateless.
 */
final class NamedClaim {
    private final Lanes lanes;
    private final Steps steps;
    private final Holds holds;
    private final Keeper keeper;
    private final ClaimKeys keys;
    private final Returns returns;
    private final QueueConfig config;

    NamedClaim(Lanes lanes, Steps steps, Holds holds, Keeper keeper, ClaimKeys keys, Returns returns,
            QueueConfig config) {
        this.lanes = lanes;
        this.steps = steps;
        this.holds = holds;
        this.keeper = keeper;
        this.keys = keys;
        this.returns = returns;
        this.config = config;
    }

    Claimed run(Transaction tx, ItemId item, String holder, long termMillis, long nonce, Optional<ClaimKeys.Key> key) {
        returns.giveBack(tx, item.number());
        Shelf shelf = Shelf.of(tx, lanes, item).orElseThrow(() -> new ItemNotFoundException(item));
        ClaimOperation.Request request = new ClaimOperation.Request(List.of(shelf.lane()), holder, 1, termMillis,
                nonce, key);
        if (key.isPresent()) {
            List<Claimed> known = keys.findToClaim(tx, Map.of(0, request)).get(0);
            if (known != null) {
                return known.getFirst();
            }
        }
        requireClaimable(tx, item, shelf);
        Found found = tx.first("SELECT created, key, payload FROM item WHERE id = ?",
                row -> new Found(shelf.lane().id(), shelf.place(), shelf.id(), shelf.epoch(), shelf.attempts(),
                        shelf.deliveries(), shelf.priority(), row.getLong(1), row.getString(2), row.getBytes(3)),
                shelf.id()).orElseThrow();
        shelf.takeForHolder(tx, Rank.of(tx.now(), shelf.priority(), config.priorityStep()));
        long number = keeper.number();
        steps.hold(tx, List.<Object[]>of(request.held(found, tx.now(), number)));
        Claimed claimed = found.to(shelf.lane(), nonce, termMillis);
        Held held = new Held(claimed.lease(), shelf.lane().id(), holder, termMillis, number, 0);
        tx.afterCommit(() -> holds.add(held, false));
        keys.add(tx, request, List.of(claimed));
        return claimed;
    }

    private void requireClaimable(Transaction tx, ItemId item, Shelf shelf) {
        switch (shelf.state()) {
            case HELD -> {
                Shelf.Holder holder = shelf.holder().orElseThrow();
                throw new ItemHeldException(item, holder.name(), Instant.ofEpochMilli(holder.since()));
            }
            case KEPT, DEAD -> throw new ItemNotClaimableException(item, shelf.state());
            case READY, DELAYED -> {
                if (lanes.paused(tx, shelf.lane().id())) {
                    throw new QueuePausedException(shelf.lane().name());
                }
            }
        }
    }
}
