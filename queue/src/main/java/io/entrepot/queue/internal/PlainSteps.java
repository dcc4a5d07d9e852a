package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** In plain statements, for a database in this process: a statement costs little, and memory spares some. */
final class PlainSteps implements Steps {
    private final Lanes lanes;
    private final Ahead ahead;
    private final Holds holds;

    PlainSteps(Lanes lanes, Holds holds, Ahead ahead) {
        this.ahead = ahead;
        this.lanes = lanes;
        this.holds = holds;
    }

    @Override
    public Map<Lane, List<Found>> take(Transaction tx, Map<Lane, Integer> wanted) {
        Map<Lane, List<Found>> found = new HashMap<>();
        wanted.forEach((lane, most) -> {
            if (most > 0 && !lanes.paused(tx, lane.id()) && tx.count(lane.counter(ItemState.READY)) > 0) {
                found.put(lane, take(tx, lane, most));
            }
        });
        return found;
    }

    private static List<Found> take(Transaction tx, Lane lane, int most) {
        // LIMIT ? + 0: whenever a bare LIMIT ? is another number, SQLite compiles the statement anew.
        List<Found> found = tx.query("SELECT " + Found.COLUMNS + " FROM ready r JOIN item i ON i.id = r.id"
                + " WHERE r.queue = ? ORDER BY r.rank, r.id LIMIT ? + 0", Found::read, lane.id(), most);
        if (!found.isEmpty()) {
            tx.update("DELETE FROM ready WHERE queue = ? AND (rank, id) <= (?, ?)", lane.id(), found.getLast().rank(),
                    found.getLast().id());
        }
        return found;
    }

    /** Workers of one name at one queue differ only in what they hold; to bind the rest for each of them takes longer than the row. */
    @Override
    public void hold(Transaction tx, List<@Nullable Object[]> rows) {
        if (rows.size() < 2 || !rows.stream().allMatch(row -> isAlike(row, rows.getFirst()))) {
            Steps.super.hold(tx, rows);
            return;
        }
        List<@Nullable Object[]> each = new ArrayList<>(rows.size());
        rows.forEach(row -> each.add(new Object[]{row[0], row[2], row[3]}));
        @Nullable
        Object[] all = rows.getFirst();
        tx.updateEach("WITH e (id, epoch, nonce) AS (VALUES $rows)"
                + " INSERT INTO held (id, queue, epoch, nonce, holder, term, since, keeper)"
                + " SELECT id, ?, epoch, nonce, ?, ?, ?, ? FROM e", each, all[1], all[4], all[5], all[6], all[7]);
    }

    /** In all but the item, the epoch and the nonce. */
    private static boolean isAlike(@Nullable Object[] row, @Nullable Object[] other) {
        return Objects.equals(row[1], other[1]) && Arrays.equals(row, 4, row.length, other, 4, other.length);
    }

    @Override
    public void lock(Transaction tx, SortedSet<String> keys) {
        // Units run one after another.
    }

    @Override
    public void makeReady(Transaction tx, List<@Nullable Object[]> rows) {
        tx.updateEach("INSERT INTO ready (queue, rank, id) VALUES $rows", rows);
        ahead.arrived(tx, rows);
    }

    @Override
    public List<Long> ready(Snapshot snapshot, List<@Nullable Object[]> queues) {
        return snapshot.queryEach(
                "WITH w (queue) AS (VALUES $rows) SELECT w.queue FROM w JOIN queue q ON q.id = w.queue"
                        + " WHERE q.paused = 0 AND EXISTS (SELECT 1 FROM ready WHERE ready.queue = w.queue)",
                row -> row.getLong(1), queues);
    }

    @Override
    public void tend() {
        // They are fast.
    }

    @Override
    public Map<ItemLease, Lane> finish(Transaction tx, SequencedSet<ItemLease> leases) {
        Map<Long, ItemLease> wanted = new LinkedHashMap<>();
        Map<ItemLease, Lane> finished = new LinkedHashMap<>();
        for (ItemLease lease : leases) {
            lane(tx, lease).ifPresent(lane -> {
                wanted.put(lease.item().number(), lease);
                finished.put(lease, lane);
            });
        }
        remember(tx, finished.keySet()).forEach(id -> finished.remove(wanted.get(id)));
        List<long[]> runs = runs(finished.keySet());
        if (runs.size() * 4 <= finished.size()) {
            // What was put together is often finished together: to go through a run of rows costs far less than to look for each.
            for (long[] run : runs) {
                tx.update("DELETE FROM held WHERE id BETWEEN ? AND ?", run[0], run[1]);
                tx.update("DELETE FROM item WHERE id BETWEEN ? AND ?", run[0], run[1]);
            }
        } else {
            List<@Nullable Object[]> ids = new ArrayList<>(finished.size());
            finished.keySet().forEach(lease -> ids.add(new Object[]{lease.item().number()}));
            tx.updateEach("DELETE FROM held WHERE id IN (VALUES $rows)", ids);
            tx.updateEach("DELETE FROM item WHERE id IN (VALUES $rows)", ids);
        }
        return finished;
    }

    /** The items' numbers as runs without a gap, first and last of each; they come in order. */
    private static List<long[]> runs(Collection<ItemLease> leases) {
        List<long[]> runs = new ArrayList<>();
        for (ItemLease lease : leases) {
            long number = lease.item().number();
            if (!runs.isEmpty() && runs.getLast()[1] == number - 1) {
                runs.getLast()[1] = number;
            } else {
                runs.add(new long[]{number, number});
            }
        }
        return runs;
    }

    /** Remembers items that go, and returns those that do not: an earlier unit of the same commit may have ended their leases. */
    private static List<Long> remember(Transaction tx, Collection<ItemLease> wanted) {
        List<@Nullable Object[]> rows = new ArrayList<>(wanted.size());
        for (ItemLease lease : wanted) {
            Fence fence = lease.fence();
            rows.add(new Object[]{lease.item().number(), fence.epoch().value(), fence.nonce()});
        }
        int gone = tx.updateEach("""
                                 WITH e (id, epoch, nonce) AS (VALUES $rows)
                                 INSERT INTO gone (id, queue, kind, epoch, nonce, since, at, holder, trail)
                                 SELECT ? + h.id, h.queue, ?, h.epoch, h.nonce, h.since, ?, h.holder, i.trail
                                 FROM e JOIN held h ON h.id = e.id AND h.epoch = e.epoch AND h.nonce = e.nonce
                                 JOIN item i ON i.id = e.id""", rows, Past.goneNow(tx),
                Trail.name(Outcome.Kind.FINISHED), tx.now());
        return gone == rows.size()
                ? List.of()
                : tx.queryEach("WITH e (id, epoch, nonce) AS (VALUES $rows) SELECT e.id FROM e LEFT JOIN held h"
                        + " ON h.id = e.id AND h.epoch = e.epoch AND h.nonce = e.nonce WHERE h.id IS NULL",
                        row -> row.getLong(1), rows);
    }

    /** Where a lease's item belongs, from memory if the lease is known to be current, and else from the database. */
    private Optional<Lane> lane(Transaction tx, ItemLease lease) {
        return holds.find(lease).map(held -> lanes.lane(tx, held.queue()))
                .or(() -> Shelf.current(tx, lanes, lease).map(Shelf::lane));
    }
}
