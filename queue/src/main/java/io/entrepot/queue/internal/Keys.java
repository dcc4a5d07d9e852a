package io.entrepot.queue.internal;

import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long idempotency keys are known: as long as their item is there, and for the memory after it went. Finishing an
 * item does not write its key. Instead a key is looked at again when the time in its row is over: by then its item is
 * still there, or {@link Past} says when it went, or it is forgotten. So each row is looked at once in a memory's time.
 * Stateless.
 */
final class Keys {
    private final Past past;
    private final Duration memory;

    Keys(Past past, Duration memory) {
        this.past = past;
        this.memory = memory;
    }

    /** Until when the key of an item must be known, as far as can be said now. */
    long neededUntil(Snapshot snapshot, long item) {
        boolean there = snapshot.first("SELECT 1 FROM item WHERE id = ?", row -> row.getLong(1), item).isPresent();
        long since = there ? snapshot.now() : past.end(snapshot, item).orElse(Long.MIN_VALUE);
        return since == Long.MIN_VALUE ? since : since + memory.toMillis();
    }

    private record Due(long queue, String key, long item) {}

    /** Looks at up to that many keys whose time is over, and forgets those that are not needed; returns how many it saw. */
    int forget(Transaction tx, int most) {
        List<Due> due = tx.query("SELECT queue, key, item FROM idem WHERE until <= ? ORDER BY until LIMIT ?",
                row -> new Due(row.getLong(1), row.getString(2), row.getLong(3)), tx.now(), most);
        List<@Nullable Object[]> gone = new ArrayList<>();
        for (Due one : due) {
            long until = neededUntil(tx, one.item);
            if (until > tx.now()) {
                tx.update("UPDATE idem SET until = ? WHERE queue = ? AND key = ?", until, one.queue, one.key);
            } else {
                gone.add(new Object[]{one.queue, one.key});
            }
        }
        tx.updateEach("DELETE FROM idem WHERE (queue, key) IN (VALUES $rows)", gone);
        return due.size();
    }
}
