package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** In one statement each, for a database that is a round trip away: all parts of it see the tables as they were before. */
final class PostgresSteps implements Steps {
    private static final String TAKE = """
                                       WITH w (queue, n) AS (VALUES $rows),
                                       found AS (
                                           SELECT first.* FROM w JOIN queue q ON q.id = w.queue AND q.paused = 0
                                           CROSS JOIN LATERAL (
                                               SELECT queue, rank, id FROM ready WHERE ready.queue = w.queue ORDER BY rank, id LIMIT w.n) first),
                                       taken AS (
                                           DELETE FROM ready USING found f WHERE ready.queue = f.queue AND ready.rank = f.rank AND ready.id = f.id)
                                       SELECT %s FROM found r JOIN item i ON i.id = r.id ORDER BY r.rank, r.id"""
            .formatted(Found.COLUMNS);

    private static final String FINISH = """
                                         WITH e (id, epoch, nonce, owner) AS (VALUES $rows),
                                         h AS (
                                             DELETE FROM held USING e, queue q WHERE held.id = e.id AND held.epoch = e.epoch AND held.nonce = e.nonce
                                             AND q.id = held.queue AND q.owner = e.owner RETURNING held.*),
                                         done AS (DELETE FROM item USING h WHERE item.id = h.id),
                                         remembered AS (
                                             INSERT INTO gone (id, queue, kind, epoch, nonce, since, at, holder, trail)
                                             SELECT ? + h.id, h.queue, ?, h.epoch, h.nonce, h.since, ?, h.holder, i.trail
                                             FROM h JOIN item i ON i.id = h.id)
                                         SELECT id, queue, epoch, nonce FROM h""";

    private final Lanes lanes;

    PostgresSteps(Lanes lanes) {
        this.lanes = lanes;
    }

    @Override
    public Map<Lane, List<Found>> take(Transaction tx, Map<Lane, Integer> wanted) {
        Map<Long, Lane> asked = new HashMap<>();
        List<@Nullable Object[]> rows = new ArrayList<>();
        wanted.forEach((lane, most) -> {
            if (most > 0) {
                asked.put(lane.id(), lane);
                rows.add(new Object[]{lane.id(), most});
            }
        });
        Map<Lane, List<Found>> found = new HashMap<>();
        for (Found one : tx.queryEach(TAKE, Found::read, rows)) {
            found.computeIfAbsent(asked.get(one.queue()), _ -> new ArrayList<>()).add(one);
        }
        return found;
    }

    @Override
    public Map<ItemLease, Lane> finish(Transaction tx, SequencedSet<ItemLease> leases) {
        List<@Nullable Object[]> rows = new ArrayList<>(leases.size());
        for (ItemLease lease : leases) {
            rows.add(new Object[]{lease.item().number(), lease.fence().epoch().value(), lease.fence().nonce(),
                    lease.item().owner().name()});
        }
        record Gone(long id, long queue, Fence fence) {}
        Map<ItemLease, Lane> finished = new HashMap<>();
        for (Gone gone : tx.queryEach(FINISH, row -> new Gone(row.getLong(1), row.getLong(2), new Fence(
                new Epoch(row.getLong(3)), row.getLong(4))), rows, Past.goneNow(tx),
                Trail.name(Outcome.Kind.FINISHED), tx.now())) {
            Lane lane = lanes.lane(tx, gone.queue);
            finished.put(new ItemLease(new ItemId(lane.name().owner(), gone.id), gone.fence), lane);
        }
        return finished;
    }
}
