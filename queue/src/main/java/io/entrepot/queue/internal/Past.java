package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is remembered of leases that have ended, for as long as it is. Stateless. */
final class Past {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final Duration memory;

    Past(Duration memory) {
        this.memory = memory;
    }

    static long day(long now) {
        return Math.floorDiv(now, DAY);
    }

    /** Remembers how a lease ended whose item stays. */
    void add(Transaction tx, long item, Fence fence, Outcome.Kind kind, long queue) {
        tx.update("INSERT INTO past (day, item, epoch, nonce, kind, at, queue) VALUES (?, ?, ?, ?, ?, ?, ?)",
                day(tx.now()),
                item, fence.epoch().value(), fence.nonce(), Trail.name(kind), tx.now(), queue);
    }

    /** Takes back what this transaction has remembered of a lease. */
    void undo(Transaction tx, ItemLease lease) {
        tx.update("DELETE FROM past WHERE day = ? AND item = ? AND epoch = ?", day(tx.now()), lease.item().number(),
                lease.fence().epoch().value());
    }

    Optional<Outcome> outcome(Snapshot snapshot, ItemLease lease) {
        return snapshot.queryEach("SELECT p.kind, p.at FROM past p JOIN queue q ON q.id = p.queue"
                + " WHERE p.day IN (VALUES $rows) AND p.item = ? AND p.epoch = ? AND p.nonce = ? AND q.owner = ?",
                row -> new Outcome(Trail.kind(row.getString(1)), Instant.ofEpochMilli(row.getLong(2)), true),
                days(snapshot.now()), lease.item().number(), lease.fence().epoch().value(), lease.fence().nonce(),
                lease.item().owner().name()).stream().findFirst();
    }

    /** When the last lease ended that an item had, if that is remembered. */
    Optional<Long> lastEnd(Snapshot snapshot, long item) {
        return snapshot
                .queryEach("SELECT max(at) FROM past WHERE day IN (VALUES $rows) AND item = ? HAVING count(*) > 0",
                        row -> row.getLong(1), days(snapshot.now()), item)
                .stream().max(Long::compare);
    }

    /** The history that an item had when it went. */
    Optional<String> trail(Snapshot snapshot, long item, String owner) {
        return snapshot.queryEach("SELECT p.trail FROM past p JOIN queue q ON q.id = p.queue"
                + " WHERE p.day IN (VALUES $rows) AND p.item = ? AND q.owner = ? AND p.trail IS NOT NULL",
                row -> row.getString(1), days(snapshot.now()), item, owner).stream().findFirst();
    }

    /** Forgets up to that many of the leases that ended too long ago; returns how many. */
    int forget(Transaction tx, int most) {
        return tx.update("DELETE FROM past WHERE (day, item, epoch) IN"
                + " (SELECT day, item, epoch FROM past WHERE day < ? LIMIT ?)", day(tx.now() - memory.toMillis()),
                most);
    }

    /** Every day on which something that is still remembered can have ended. */
    private List<@Nullable Object[]> days(long now) {
        List<@Nullable Object[]> days = new ArrayList<>();
        for (long day = day(now - memory.toMillis()); day <= day(now); day++) {
            days.add(new Object[]{day});
        }
        return days;
    }
}
