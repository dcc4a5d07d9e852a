package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of leases that have ended, for as long as it is: in {@code gone} of those with which their item
 * went, in {@code past} of the others. Stateless.
 */
final class Past {
    private static final long DAY = Duration.ofDays(1).toMillis();
    /** An item's number has so many bits in the keys of {@code gone}; above them is the day. */
    private static final int NUMBER_BITS = 40;

    private final Duration memory;

    Past(Duration memory) {
        this.memory = memory;
    }

    private static long day(long now) {
        return Math.floorDiv(now, DAY);
    }

    private static long firstOf(long day) {
        return day << NUMBER_BITS;
    }

    /** The first day of which something is remembered. */
    private long firstDay(Snapshot snapshot) {
        return day(snapshot.now() - memory.toMillis());
    }

    /** Remembers how a lease ended whose item stays. */
    void add(Transaction tx, long item, Fence fence, Outcome.Kind kind, long queue) {
        tx.update("INSERT INTO past (day, item, epoch, nonce, kind, at, queue) VALUES (?, ?, ?, ?, ?, ?, ?)",
                day(tx.now()), item, fence.epoch().value(), fence.nonce(), Trail.name(kind), tx.now(), queue);
    }

    /** What is added to the number of an item that goes now, for its key in {@code gone}. */
    static long goneNow(Snapshot snapshot) {
        return firstOf(day(snapshot.now()));
    }

    /** Remembers an item that is removed, whose lease, if it has one, is lost; the line ends its trail. */
    void removed(Transaction tx, long item, String line) {
        tx.update("INSERT INTO gone (id, queue, kind, epoch, nonce, since, at, holder, trail)"
                + " SELECT ? + id, queue, ?, epoch + 1, 0, ?, ?, NULL, trail || ? FROM item WHERE id = ?",
                goneNow(tx), Trail.name(Outcome.Kind.TAKEN_BACK), tx.now(), tx.now(), line, item);
    }

    Optional<Outcome> outcome(Snapshot snapshot, ItemLease lease) {
        long item = lease.item().number();
        Object[] which = {lease.fence().epoch().value(), lease.fence().nonce(), lease.item().owner().name()};
        return snapshot.queryEach("WITH e (id) AS (VALUES $rows)"
                + " SELECT g.kind, g.at FROM e JOIN gone g ON g.id = e.id JOIN queue q ON q.id = g.queue"
                + " WHERE g.epoch = ? AND g.nonce = ? AND q.owner = ?", Past::outcome, keys(snapshot, item), which)
                .stream().findFirst()
                .or(() -> snapshot.queryEach("WITH e (day, item) AS (VALUES $rows)"
                        + " SELECT p.kind, p.at FROM e JOIN past p ON p.day = e.day AND p.item = e.item"
                        + " JOIN queue q ON q.id = p.queue WHERE p.epoch = ? AND p.nonce = ? AND q.owner = ?",
                        Past::outcome, days(snapshot, item), which).stream().findFirst());
    }

    /**
     * Whether a lease with that nonce, which nobody holds any more, ran out or was taken away: its holder did not end it. Not if
     * nothing is remembered of it.
     */
    boolean wasTaken(Snapshot snapshot, long item, long nonce) {
        List<Outcome.Kind> ended = snapshot.queryEach("WITH e (day, item) AS (VALUES $rows)"
                + " SELECT p.kind FROM e JOIN past p ON p.day = e.day AND p.item = e.item WHERE p.nonce = ?",
                row -> Trail.kind(row.getString(1)), days(snapshot, item), nonce);
        if (ended.isEmpty()) {
            // What was removed from its holder is remembered without his nonce.
            ended = snapshot.queryEach("WITH e (id) AS (VALUES $rows) SELECT g.kind FROM e JOIN gone g ON g.id = e.id",
                    row -> Trail.kind(row.getString(1)), keys(snapshot, item));
        }
        return !ended.isEmpty() && ended.stream().noneMatch(Outcome.Kind::byHolder);
    }

    private static Outcome outcome(ResultSet row) throws SQLException {
        return new Outcome(Trail.kind(row.getString(1)), Instant.ofEpochMilli(row.getLong(2)), true);
    }

    /** When an item went, if that is remembered. */
    Optional<Long> end(Snapshot snapshot, long item) {
        return snapshot.queryEach("SELECT at FROM gone WHERE id IN (VALUES $rows)", row -> row.getLong(1),
                keys(snapshot, item)).stream().findFirst();
    }

    /**
     * Those of the numbers that are of an item that is there or remembered. Numbers that are new lie together, and mostly nothing near them
     * has gone on any day: to see that takes a look for each day, and not one for each number on each day.
     */
    List<Long> taken(Snapshot snapshot, Collection<Long> numbers) {
        List<Long> firsts = new ArrayList<>();
        for (long day = firstDay(snapshot); day <= day(snapshot.now()); day++) {
            firsts.add(firstOf(day));
        }
        List<@Nullable Object[]> rows = new ArrayList<>(numbers.size());
        numbers.forEach(number -> rows.add(new Object[]{number}));
        long lowest = Collections.min(numbers);
        long highest = Collections.max(numbers);
        List<Long> args = new ArrayList<>();
        firsts.forEach(first -> args.addAll(List.of(first + lowest, first + highest)));
        args.addAll(firsts);
        return snapshot.queryEach("WITH e (id) AS (VALUES $rows) SELECT e.id FROM e"
                + " WHERE EXISTS (SELECT 1 FROM item i WHERE i.id = e.id) OR ("
                + "(" + String.join(" OR ", Collections.nCopies(firsts.size(),
                        "EXISTS (SELECT 1 FROM gone WHERE id BETWEEN ? AND ?)"))
                + ") AND EXISTS (SELECT 1 FROM gone g WHERE g.id IN ("
                + String.join(", ", Collections.nCopies(firsts.size(), "? + e.id")) + ")))", row -> row.getLong(1),
                rows, args.toArray());
    }

    /** The history that an item had when it went. */
    Optional<String> trail(Snapshot snapshot, long item, String owner) {
        return snapshot.queryEach("WITH e (id) AS (VALUES $rows)"
                + " SELECT g.trail, g.holder, g.epoch, g.since, g.at, g.kind"
                + " FROM e JOIN gone g ON g.id = e.id JOIN queue q ON q.id = g.queue WHERE q.owner = ?",
                Past::trail, keys(snapshot, item), owner).stream().findFirst();
    }

    private static String trail(ResultSet row) throws SQLException {
        String holder = row.getString(2);
        return row.getString(1) + (holder == null
                ? ""
                : Trail.line(row.getLong(3), row.getLong(4), row.getLong(5), Trail.kind(row.getString(6)), holder, ""));
    }

    /** Forgets up to that many of the leases that ended too long ago; returns how many. */
    int forget(Transaction tx, int most) {
        long oldest = day(tx.now() - memory.toMillis());
        int forgotten = tx.update("DELETE FROM gone WHERE id IN (SELECT id FROM gone WHERE id < ? ORDER BY id LIMIT ?)",
                firstOf(oldest), most);
        return forgotten + tx.update("DELETE FROM past WHERE (day, item, epoch) IN"
                + " (SELECT day, item, epoch FROM past WHERE day < ? LIMIT ?)", oldest, most - forgotten);
    }

    /** Every key under which an item can be in {@code gone}, by the day it went. */
    private List<@Nullable Object[]> keys(Snapshot snapshot, long item) {
        return days(snapshot, item).stream()
                .map(row -> new @Nullable Object[]{firstOf((Long) Objects.requireNonNull(row[0])) + item}).toList();
    }

    /** Every day on which something that is still remembered can have ended, each with the item. */
    private List<@Nullable Object[]> days(Snapshot snapshot, long item) {
        List<@Nullable Object[]> days = new ArrayList<>();
        for (long day = firstDay(snapshot); day <= day(snapshot.now()); day++) {
            days.add(new Object[]{day, item});
        }
        return days;
    }
}
