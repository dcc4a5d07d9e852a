package io.entrepot.server.access;

import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * What administrators have done, durably: written down before it is done, and with its outcome after. So nothing is done that is
 * not here, and an entry without an outcome is one that a crash cut short. Safe for use by many threads.
 */
public final class Audit {
    public static final int MOST = 1000;
    private static final Counter NUMBERS = new Counter("server.audit", 0);
    private static final String UNKNOWN = "";

    private final Store store;
    private final InstantSource wall;

    /**
     * One thing that somebody did, or tried to.
     *
     * @param action  the operation, as in the description of the API
     * @param target  the path it was about
     * @param outcome {@code ok}, the code of a problem, or nothing if a crash cut it short
     */
    public record Entry(long number, Instant at, String keyId, String keyName, String address, String action,
            String target, String outcome, String request) {
        public static final Answer<Entry> ANSWER = Answer.<Entry>named("AuditEntry")
                .with("number", Type.COUNT, "Grows.", Entry::number).with("at", Type.TIME, "When.", Entry::at)
                .with("key", Type.TEXT, "The id of the key.", Entry::keyId)
                .with("name", Type.TEXT, "The name of the key.", Entry::keyName)
                .with("address", Type.TEXT, "From where.", Entry::address)
                .with("action", Type.TEXT, "The operation, as in this description.", Entry::action)
                .with("target", Type.TEXT, "What it was about.", Entry::target)
                .with("outcome", Type.TEXT, "`ok`, the code of a problem, or nothing if it is not known.",
                        Entry::outcome)
                .with("request", Type.TEXT, "The id of the request, as in the log.", Entry::request);
    }

    /**
     * Which entries to list.
     *
     * @param before numbers below this, newest first
     * @param key    of this key, or of all if empty
     * @param action this operation, or all if empty
     */
    public record Query(long before, int limit, String key, String action) {}

    public Audit(Store store, InstantSource wall) {
        this.store = store;
        this.wall = wall;
    }

    /** Before it is done. Its number is for {@link #ended}. */
    public long begun(Identity who, String address, String action, String target, String request) {
        return store.write(Owner.SYSTEM, tx -> {
            long number = tx.next(NUMBERS, 1);
            tx.update("INSERT INTO server_audit (id, at, key_id, key_name, address, action, target, outcome, request)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", number, wall.millis(), who.id(), who.name(), address,
                    action, target, UNKNOWN, request);
            return number;
        });
    }

    public void ended(long number, String outcome) {
        store.write(Owner.SYSTEM, tx -> tx.update("UPDATE server_audit SET outcome = ? WHERE id = ?", outcome, number));
    }

    /** Newest first. */
    public List<Entry> list(Query query) {
        return store.read(snapshot -> snapshot.query(
                "SELECT id, at, key_id, key_name, address, action, target, outcome,"
                        + " request FROM server_audit WHERE id < ? AND (? = '' OR key_id = ?) AND (? = '' OR action = ?)"
                        + " ORDER BY id DESC LIMIT ?",
                Audit::read, query.before, query.key, query.key, query.action,
                query.action, query.limit));
    }

    /** Says how many were forgotten. */
    public int forgetOlderThan(Duration age) {
        long before = wall.instant().minus(age).toEpochMilli();
        return store.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM server_audit WHERE at < ?", before));
    }

    private static Entry read(ResultSet row) throws SQLException {
        return new Entry(row.getLong(1), Instant.ofEpochMilli(row.getLong(2)), row.getString(3), row.getString(4),
                row.getString(5), row.getString(6), row.getString(7), row.getString(8), row.getString(9));
    }
}
