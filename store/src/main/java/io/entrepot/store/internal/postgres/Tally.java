package io.entrepot.store.internal.postgres;

import io.entrepot.lease.Ticker;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Counters, of which many are written at a time: what is added to them goes to the end of a table, and is added up every
 * second. A counter is its row and what is in that table behind the last sum. Safe for use by many threads.
 */
final class Tally {
    /** With the counter's name and number. */
    static final String COUNT = """
                                SELECT sum(part.n) FROM (SELECT ?::text AS name, ?::bigint AS id) c CROSS JOIN LATERAL (
                                    SELECT n FROM counter WHERE counter.name = c.name AND counter.id = c.id
                                    UNION ALL
                                    SELECT n FROM tally WHERE tally.name = c.name AND tally.id = c.id
                                    AND seq > coalesce((SELECT value::bigint FROM meta WHERE key = 'tally'), 0)) part
                                HAVING count(*) > 0""";

    private static final String ADD_UP = """
                                         WITH due AS (
                                             DELETE FROM tally WHERE seq > coalesce((SELECT value::bigint FROM meta WHERE key = 'tally'), 0)
                                             RETURNING seq, name, id, n),
                                         summed AS (
                                             INSERT INTO counter (name, id, n) SELECT name, id, sum(n) FROM due GROUP BY name, id
                                             ON CONFLICT (name, id) DO UPDATE SET n = counter.n + excluded.n)
                                         INSERT INTO meta (key, value) SELECT 'tally', max(seq)::text FROM due HAVING count(*) > 0
                                         ON CONFLICT (key) DO UPDATE SET value = excluded.value""";

    private static final Ticker REAL = Ticker.system();
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final AtomicBoolean added = new AtomicBoolean(true);
    private volatile long addedUp = REAL.nanos() - EVERY_NANOS;

    /** Adds to counters, and then does something else, in one round trip. */
    void add(Sql sql, List<@Nullable Object[]> rows, String then, @Nullable Object... args) throws SQLException {
        added.set(true);
        sql.updateEach("INSERT INTO tally (name, id, n) VALUES $rows; " + then, rows, args);
    }

    /** Whether there may be something to add up, and it is time. */
    boolean isDue() {
        return added.get() && REAL.nanos() - addedUp >= EVERY_NANOS;
    }

    /** In a transaction that no other that writes runs beside: or what is committed later might be left behind. */
    void addUp(Sql sql) throws SQLException {
        addedUp = REAL.nanos();
        added.set(false);
        sql.update(ADD_UP);
    }
}
