package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * In one statement each, for a database that is a round trip away: all parts of it see the tables as they were before.
 *
 * <p>Claims run beside each other, and each skips what others have locked. Rows that were taken stay in the index until they
 * are vacuumed, all of them before those that are there; so that a claim need not look through them, each queue has a
 * floor, which is raised now and then, and lowered by whoever puts something below it.
 */
final class PostgresSteps implements Steps {
    static final String TAKE = """
                               WITH w (queue, n) AS (VALUES $rows),
                               found AS (
                                   SELECT first.* FROM w JOIN queue q ON q.id = w.queue AND q.paused = 0
                                   CROSS JOIN LATERAL (
                                       SELECT ctid AS spot, queue, rank, id FROM ready WHERE ready.queue = w.queue AND ready.rank >= q.floor
                                       ORDER BY rank, id LIMIT w.n FOR UPDATE SKIP LOCKED) first),
                               taken AS (DELETE FROM ready USING found f WHERE ready.ctid = f.spot)
                               SELECT %s FROM found r JOIN item i ON i.id = r.id ORDER BY r.rank, r.id"""
            .formatted(Found.COLUMNS);

    /**
     * As {@link #TAKE}, and the items are held at once. Who asks is given in arrays; {@code turn} says for the n-th place who
     * has it, and places are numbered through all queues, each of which knows how many come before its own.
     */
    static final String TAKE_FOR = """
                                   WITH w (queue, n, before) AS (VALUES $rows),
                                   asked (turn, nonce, holder, term, since, keeper) AS (VALUES (?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?, ?)),
                                   found AS (
                                       SELECT first.*, w.before + row_number() OVER (PARTITION BY w.queue ORDER BY first.rank, first.id) AS place
                                       FROM w JOIN queue q ON q.id = w.queue AND q.paused = 0
                                       CROSS JOIN LATERAL (
                                           SELECT ctid AS spot, queue, rank, id FROM ready WHERE ready.queue = w.queue AND ready.rank >= q.floor
                                           ORDER BY rank, id LIMIT w.n FOR UPDATE SKIP LOCKED) first),
                                   taken AS (DELETE FROM ready USING found f WHERE ready.ctid = f.spot),
                                   given AS (SELECT %s, r.place FROM found r JOIN item i ON i.id = r.id),
                                   held AS (
                                       INSERT INTO held (id, queue, epoch, nonce, holder, term, since, keeper)
                                       SELECT id, queue, epoch + 1, nonce[turn[place]], holder[turn[place]], term[turn[place]], since, keeper
                                       FROM given, asked)
                                   SELECT * FROM given ORDER BY place"""
            .formatted(Found.COLUMNS);

    private static final String FINISH = """
                                         WITH e (id, epoch, nonce, owner) AS (VALUES $rows),
                                         h AS (
                                             DELETE FROM held USING e, queue q WHERE held.id = e.id AND held.epoch = e.epoch AND held.nonce = e.nonce
                                             AND q.id = held.queue AND q.owner = e.owner RETURNING held.*),
                                         done AS (DELETE FROM item USING h WHERE item.id = h.id RETURNING h.*, item.trail),
                                         remembered AS (
                                             INSERT INTO gone (id, queue, kind, epoch, nonce, since, at, holder, trail)
                                             SELECT ? + id, queue, ?, epoch, nonce, since, ?, holder, trail FROM done)
                                         SELECT id, queue, epoch, nonce FROM h""";

    private static final String MAKE_READY = """
                                             WITH e (queue, rank, id) AS (VALUES $rows),
                                             lowered AS (
                                                 UPDATE queue SET floor = lowest.rank
                                                 FROM (SELECT queue, min(rank) AS rank FROM e GROUP BY queue) lowest
                                                 WHERE queue.id = lowest.queue AND queue.floor > lowest.rank)
                                             INSERT INTO ready (queue, rank, id) SELECT queue, rank, id FROM e""";

    /** While others wait, so that nothing is put below the new floor meanwhile. */
    private static final String RAISE = """
                                        WITH e (id) AS (VALUES $rows)
                                        UPDATE queue SET floor = coalesce((
                                            SELECT rank FROM ready WHERE ready.queue = queue.id AND ready.rank >= queue.floor
                                            ORDER BY rank, ready.id LIMIT 1), 9223372036854775807)
                                        WHERE id IN (SELECT id FROM e)""";
    /** So many taken rows are looked through faster than a floor is raised. */
    private static final long WORTH_RAISING = 1000;

    private final Runnable nudge;
    private final Store store;
    private final Lanes lanes;
    private final Ahead ahead;
    private final Map<Long, Long> taken = new ConcurrentHashMap<>();

    PostgresSteps(Store store, Lanes lanes, Ahead ahead, Runnable nudge) {
        this.ahead = ahead;
        this.nudge = nudge;
        this.store = store;
        this.lanes = lanes;
    }

    @Override
    public Map<Lane, List<Found>> take(Transaction tx, Map<Lane, Integer> wanted) {
        Map<Long, Lane> lanesById = new HashMap<>();
        List<@Nullable Object[]> rows = new ArrayList<>();
        wanted.forEach((lane, most) -> {
            lanesById.put(lane.id(), lane);
            rows.add(new Object[]{lane.id(), most});
        });
        return byLane(tx, lanesById, tx.queryEach(TAKE, Found::read, rows));
    }

    @Override
    public Map<Lane, List<Found>> takeFor(Transaction tx, Map<Lane, List<ClaimOperation.Request>> asked, long keeper) {
        Map<Long, Lane> lanesById = new HashMap<>();
        List<@Nullable Object[]> rows = new ArrayList<>();
        List<ClaimOperation.Request> all = new ArrayList<>();
        LongStream.Builder turns = LongStream.builder();
        long before = 0;
        for (Map.Entry<Lane, List<ClaimOperation.Request>> one : asked.entrySet()) {
            Lane lane = one.getKey();
            int wanted = ClaimOperation.Request.wanted(one.getValue());
            lanesById.put(lane.id(), lane);
            rows.add(new Object[]{lane.id(), wanted, before});
            before += wanted;
            for (ClaimOperation.Request request : one.getValue()) {
                all.add(request);
                for (int n = request.max(); n > 0; n--) {
                    turns.add(all.size());
                }
            }
        }
        return byLane(tx, lanesById, tx.queryEach(TAKE_FOR, Found::read, rows, turns.build().toArray(),
                all.stream().mapToLong(ClaimOperation.Request::nonce).toArray(),
                all.stream().map(ClaimOperation.Request::holder).toArray(String[]::new),
                all.stream().mapToLong(ClaimOperation.Request::termMillis).toArray(), tx.now(), keeper));
    }

    private Map<Lane, List<Found>> byLane(Transaction tx, Map<Long, Lane> lanesById, List<Found> all) {
        Map<Lane, List<Found>> found = new HashMap<>();
        for (Found one : all) {
            found.computeIfAbsent(lanesById.get(one.queue()), _ -> new ArrayList<>()).add(one);
        }
        tx.afterCommit(() -> found.forEach((lane, some) -> {
            if (taken.merge(lane.id(), (long) some.size(), Long::sum) >= WORTH_RAISING) {
                nudge.run();
            }
        }));
        return found;
    }

    /** Claims run beside each other: one that comes while another with its key is under way waits, and then sees what that got. */
    @Override
    public void lock(Transaction tx, SortedSet<String> keys) {
        List<@Nullable Object[]> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(new Object[]{key}));
        tx.queryEach("SELECT pg_advisory_xact_lock(hashtextextended(e.key, 0))::text FROM (VALUES $rows) AS e (key)",
                row -> row.getString(1), rows);
    }

    @Override
    public void makeReady(Transaction tx, List<@Nullable Object[]> rows) {
        tx.updateEach(MAKE_READY, rows);
        ahead.arrived(tx, rows);
    }

    @Override
    public List<Long> ready(Snapshot snapshot, List<@Nullable Object[]> queues) {
        return snapshot
                .queryEach("WITH w (queue) AS (VALUES $rows) SELECT w.queue FROM w JOIN queue q ON q.id = w.queue"
                        + " WHERE q.paused = 0 AND EXISTS (SELECT 1 FROM ready WHERE ready.queue = w.queue"
                        + " AND ready.rank >= q.floor)", row -> row.getLong(1), queues);
    }

    @Override
    public void tend() {
        List<@Nullable Object[]> due = new ArrayList<>();
        taken.forEach((lane, n) -> {
            if (n >= WORTH_RAISING) {
                taken.remove(lane);
                due.add(new Object[]{lane});
            }
        });
        if (!due.isEmpty()) {
            store.write(Owner.SYSTEM, tx -> tx.updateEach(RAISE, due));
        }
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
