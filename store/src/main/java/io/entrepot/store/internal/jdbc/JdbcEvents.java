package io.entrepot.store.internal.jdbc;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Event;
import io.entrepot.store.Events;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.internal.EventCodec;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The outbox, read back. The newest number is known in memory, so that waiting costs nothing; where others write too, it
 * is what was heard of last, and nothing but a reason to look. Thread-safe.
 */
public final class JdbcEvents implements Events {
    /** Rows forgotten per unit of work, so that a large outbox is emptied without holding others up. */
    private static final int FORGET_STEP = 1000;
    private static final int READ_STEP = 64;
    private static final int MOST_PROBLEMS = 100;
    private static final String LAST_KEPT = "SELECT first + n - 1 FROM event ORDER BY first DESC LIMIT 1";
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final Ticker REAL = Ticker.system();

    private final Store store;
    private final Runnable refuseIfEnded;
    private final boolean alone;
    private long last;

    /** {@code alone}: whether nobody but this process writes. */
    public JdbcEvents(Store store, Runnable refuseIfEnded, boolean alone, long last) {
        this.store = store;
        this.refuseIfEnded = refuseIfEnded;
        this.alone = alone;
        this.last = last;
    }

    /** The number of the newest event there ever was. */
    public static long last(Sql sql) throws SQLException {
        long kept = sql.query(LAST_KEPT, row -> row.getLong(1)).stream().findFirst().orElse(0L);
        return Math.max(new Meta(sql).number("events"), kept);
    }

    public static long last(Snapshot snapshot) {
        long forgotten = snapshot.first("SELECT value FROM meta WHERE key = 'events'", row -> row.getString(1))
                .map(Long::parseLong).orElse(0L);
        return Math.max(forgotten, snapshot.first(LAST_KEPT, row -> row.getLong(1)).orElse(0L));
    }

    /** Called after every commit, and when another's is heard of. */
    public synchronized void reached(long newLast) {
        if (newLast > last) {
            last = newLast;
            notifyAll();
        }
    }

    /** Called when the store has ended: nobody waits any longer. */
    public synchronized void ended() {
        notifyAll();
    }

    @Override
    public List<Event> after(long cursor, int max) {
        if (max < 1 || cursor < 0) {
            throw new IllegalArgumentException("a cursor is not negative and at least one event is asked for");
        }
        refuseIfEnded.run();
        return alone && cursor >= last() ? List.of() : store.read(snapshot -> after(snapshot, cursor, max));
    }

    private List<Event> after(Snapshot snapshot, long cursor, int max) {
        List<Event> events = new ArrayList<>();
        long from = snapshot.first("SELECT max(first) FROM event WHERE first <= ?", row -> row.getLong(1), cursor + 1)
                .orElse(0L);
        while (events.size() < max) {
            // Rows hold any number of events, so they are fetched a few at a time until there are enough.
            List<List<Event>> groups = snapshot.query(
                    "SELECT first, n, at, entries FROM event WHERE first >= ? ORDER BY first LIMIT ?",
                    row -> unpacked(row.getLong(1), row.getInt(2), row.getLong(3), row.getBytes(4)), from,
                    Math.min(READ_STEP, max - events.size()));
            if (groups.isEmpty()) {
                break;
            }
            groups.forEach(group -> group.stream().filter(event -> event.seq() > cursor).forEach(events::add));
            from = groups.getLast().getLast().seq() + 1;
        }
        return List.copyOf(events.subList(0, Math.min(max, events.size())));
    }

    private List<Event> unpacked(long first, int n, long at, byte[] entries) {
        try {
            return EventCodec.unpack(first, n, at, entries);
        } catch (IllegalArgumentException e) {
            throw new StoreDamagedException("the outbox is damaged (" + e.getMessage()
                    + "); nothing was removed. Restore it from a backup", e);
        }
    }

    @Override
    public List<Event> await(long cursor, int max, Duration wait) throws InterruptedException {
        long nanos = (wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait).toNanos();
        long deadline = REAL.nanos() + nanos;
        synchronized (this) {
            for (long left = nanos; last <= cursor && left > 0; left = deadline - REAL.nanos()) {
                refuseIfEnded.run();
                wait(left / 1_000_000 + 1);
            }
        }
        return after(cursor, max);
    }

    @Override
    public long last() {
        if (!alone) {
            return store.read(JdbcEvents::last);
        }
        synchronized (this) {
            return last;
        }
    }

    @Override
    public long oldest() {
        return store.read(snapshot -> snapshot.first("SELECT first FROM event ORDER BY first LIMIT 1",
                row -> row.getLong(1))).orElseGet(() -> last() + 1);
    }

    @Override
    public long countBefore(Instant time) {
        return store.read(snapshot -> snapshot.query("SELECT coalesce(sum(n), 0) FROM event WHERE at < ?",
                row -> row.getLong(1), time.toEpochMilli())).getFirst();
    }

    @Override
    public long forgetBefore(Instant time) {
        long forgotten = 0;
        while (true) {
            List<Integer> gone = store.write(Owner.SYSTEM, tx -> {
                long newest = last(tx);
                List<Integer> sizes = tx.query("DELETE FROM event WHERE first IN (SELECT first FROM event"
                        + " WHERE at < ? ORDER BY first LIMIT ?) RETURNING n", row -> row.getInt(1),
                        time.toEpochMilli(), FORGET_STEP);
                // The numbers go on from here even if the outbox is empty at the next start.
                tx.update(
                        "INSERT INTO meta VALUES ('events', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        String.valueOf(newest));
                return sizes;
            });
            forgotten += gone.stream().mapToLong(Integer::longValue).sum();
            if (gone.size() < FORGET_STEP) {
                return forgotten;
            }
        }
    }

    /** Whether the outbox has every number once and can be read. */
    public static List<String> problems(Snapshot snapshot) {
        List<String> problems = new ArrayList<>();
        long[] next = {0};
        snapshot.query("SELECT first, n, at, entries FROM event ORDER BY first", row -> {
            long first = row.getLong(1);
            try {
                List<Event> events = EventCodec.unpack(first, row.getInt(2), row.getLong(3), row.getBytes(4));
                if (next[0] != 0 && next[0] != first && problems.size() < MOST_PROBLEMS) {
                    problems.add("events go on with " + first + " where " + next[0] + " is expected");
                }
                next[0] = first + events.size();
            } catch (IllegalArgumentException e) {
                if (problems.size() < MOST_PROBLEMS) {
                    problems.add("event " + first + ": " + e.getMessage());
                }
                next[0] = 0;
            }
            return first;
        });
        return problems;
    }
}
