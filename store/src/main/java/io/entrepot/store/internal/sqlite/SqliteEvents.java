package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Event;
import io.entrepot.store.Events;
import io.entrepot.store.Owner;
import io.entrepot.store.internal.EventCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The outbox, read back. The newest number is known in memory, so that waiting costs nothing. Thread-safe. */
final class SqliteEvents implements Events {
    /** Rows forgotten per unit of work, so that a large outbox is emptied without holding others up. */
    private static final int FORGET_STEP = 1000;
    private static final Ticker REAL = Ticker.system();

    private final SqliteStore store;
    private long last;

    SqliteEvents(SqliteStore store, long last) {
        this.store = store;
        this.last = last;
    }

    /** Called after every commit. */
    synchronized void reached(long newLast) {
        if (newLast != last) {
            last = newLast;
            notifyAll();
        }
    }

    @Override
    public List<Event> after(long cursor, int max) {
        if (max < 1 || cursor < 0) {
            throw new IllegalArgumentException("a cursor is not negative and at least one event is asked for");
        }
        return cursor >= last() ? List.of() : store.read(snapshot -> {
            List<Event> events = new ArrayList<>();
            long from = snapshot.first("SELECT max(first) FROM event WHERE first <= ?", row -> row.getLong(1),
                    cursor + 1).orElse(0L);
            while (events.size() < max) {
                // Rows hold any number of events, so they are fetched a few at a time until there are enough.
                List<List<Event>> groups = snapshot.query(
                        "SELECT first, n, at, entries FROM event WHERE first >= ? ORDER BY first LIMIT 64",
                        row -> EventCodec.unpack(row.getLong(1), row.getInt(2), row.getLong(3), row.getBytes(4)), from);
                if (groups.isEmpty()) {
                    break;
                }
                groups.forEach(group -> group.stream().filter(event -> event.seq() > cursor).forEach(events::add));
                from = groups.getLast().getLast().seq() + 1;
            }
            return events.size() > max ? List.copyOf(events.subList(0, max)) : events;
        });
    }

    @Override
    public List<Event> await(long cursor, int max, Duration wait) throws InterruptedException {
        long deadline = REAL.nanos() + wait.toNanos();
        synchronized (this) {
            for (long left = wait.toNanos(); last <= cursor && left > 0; left = deadline - REAL.nanos()) {
                store.refuseIfEnded();
                wait(Math.max(1, Math.min(left / 1_000_000, 1000)));
            }
        }
        return after(cursor, max);
    }

    @Override
    public synchronized long last() {
        return last;
    }

    @Override
    public long oldest() {
        return store.read(snapshot -> snapshot.query("SELECT first FROM event ORDER BY first LIMIT 1",
                row -> row.getLong(1))).stream().findFirst().orElseGet(() -> last() + 1);
    }

    @Override
    public long forgetBefore(Instant time) {
        long forgotten = 0;
        while (true) {
            List<Integer> gone = store.write(Owner.SYSTEM, tx -> {
                List<Integer> sizes = tx.query("DELETE FROM event WHERE first IN (SELECT first FROM event"
                        + " WHERE at < ? ORDER BY first LIMIT ?) RETURNING n", row -> row.getInt(1),
                        time.toEpochMilli(), FORGET_STEP);
                // The numbers go on from here even if the outbox is empty at the next start.
                tx.update(
                        "INSERT INTO meta VALUES ('events', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        String.valueOf(last()));
                return sizes;
            });
            forgotten += gone.stream().mapToLong(Integer::longValue).sum();
            if (gone.size() < FORGET_STEP) {
                return forgotten;
            }
        }
    }
}
