package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import io.entrepot.store.internal.EventCodec;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that the units of a group share, one after another, each within a savepoint. What a unit adds to
 * counters, events and effects is held back until the unit has succeeded, and written once for the whole group.
 *
 * <p>On some errors SQLite ends the transaction by itself; what ran after that would be on its own and durable at once.
 * So after such an error nothing runs any more, even if the unit swallowed it, and the group is given up.
 *
 * <p>Belongs to the committing thread. Counters are remembered between groups: nobody else writes them.
 */
final class SqliteTransaction extends SqliteSnapshot implements Transaction {
    private static final int MOST_REMEMBERED = 10_000;

    private final Map<Counter, Long> committed = new HashMap<>();
    private final Map<Counter, Long> group = new HashMap<>();
    private final Map<Counter, Long> unit = new HashMap<>();
    private final List<byte[]> groupEvents = new ArrayList<>();
    private final List<byte[]> unitEvents = new ArrayList<>();
    private final List<Runnable> groupEffects = new ArrayList<>();
    private final List<Runnable> unitEffects = new ArrayList<>();
    private long lastEvent;
    private boolean begun;
    private @Nullable StoreException broken;

    SqliteTransaction(Sql sql, Path file) {
        super(sql, file);
    }

    void eventsEndAt(long last) {
        lastEvent = last;
    }

    long lastEvent() {
        return lastEvent;
    }

    /** The error after which the group cannot go on, if there was one. */
    @Nullable
    StoreException broken() {
        return broken;
    }

    @Override
    void requireUser() {
        super.requireUser();
        if (broken != null) {
            throw broken;
        }
    }

    @Override
    StoreException failed(SQLException e) {
        StoreException failure = super.failed(e);
        if (Errors.endsTransaction(e)) {
            broken = failure;
        }
        return failure;
    }

    @Override
    public int update(String text, @Nullable Object... args) {
        requireUser();
        try {
            return sql.update(text, args);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public int updateEach(String text, List<@Nullable Object[]> rows, @Nullable Object... args) {
        requireUser();
        try {
            return sql.updateEach(text, rows, args);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Gives back up to that many pages and returns how many unused ones are left. */
    long freePages(int pages) {
        requireUser();
        if (pages > 0) { // to SQLite, 0 means all
            try {
                sql.exhaust("PRAGMA incremental_vacuum(" + pages + ")");
            } catch (SQLException e) {
                throw failed(e);
            }
        }
        return first("PRAGMA freelist_count", row -> row.getLong(1)).orElse(0L);
    }

    @Override
    public void add(Counter counter, long delta) {
        requireUser();
        if (delta != 0) {
            unit.merge(counter, delta, Long::sum);
        }
    }

    @Override
    public long count(Counter counter) {
        requireUser();
        return committed.computeIfAbsent(counter, super::count) + group.getOrDefault(counter, 0L)
                + unit.getOrDefault(counter, 0L);
    }

    @Override
    public void publish(Owner owner, String type, String subject, String body) {
        requireUser();
        unitEvents.add(EventCodec.encode(owner, type, subject, body));
    }

    @Override
    public void afterCommit(Runnable effect) {
        requireUser();
        unitEffects.add(Objects.requireNonNull(effect));
    }

    void beginGroup(long time) throws SQLException {
        now = time;
        broken = null;
        sql.execute("BEGIN IMMEDIATE");
        begun = true;
    }

    void beginUnit() throws SQLException {
        sql.execute("SAVEPOINT unit");
        handOver();
    }

    void keepUnit() throws SQLException {
        takeAway();
        if (broken != null) {
            throw broken;
        }
        sql.execute("RELEASE unit");
        unit.forEach((counter, delta) -> group.merge(counter, delta, Long::sum));
        groupEvents.addAll(unitEvents);
        groupEffects.addAll(unitEffects);
        clearUnit();
    }

    void undoUnit() throws SQLException {
        takeAway();
        clearUnit();
        sql.execute("ROLLBACK TO unit");
        sql.execute("RELEASE unit");
    }

    private void clearUnit() {
        unit.clear();
        unitEvents.clear();
        unitEffects.clear();
    }

    /** Writes what the group has gathered. After this only the commit is left. */
    void flush() throws SQLException {
        group.values().removeIf(delta -> delta == 0);
        if (!group.isEmpty()) {
            List<@Nullable Object[]> rows = new ArrayList<>(group.size());
            group.forEach((counter, delta) -> rows.add(new Object[]{counter.name(), counter.id(), delta}));
            sql.updateEach("INSERT INTO counter (name, id, n) VALUES $rows"
                    + " ON CONFLICT (name, id) DO UPDATE SET n = n + excluded.n", rows);
        }
        long first = lastEvent + 1;
        for (List<byte[]> row : EventCodec.rows(groupEvents)) {
            sql.update("INSERT INTO event (first, n, at, entries) VALUES (?, ?, ?, ?)", first, row.size(), now,
                    EventCodec.pack(row));
            first += row.size();
        }
    }

    void commit() throws SQLException {
        sql.execute("COMMIT");
        begun = false;
    }

    /** The group is durable: takes over what it counted, and returns the effects to run. */
    List<Runnable> committed() {
        group.forEach((counter, delta) -> committed.computeIfPresent(counter, (_, n) -> n + delta));
        if (committed.size() > MOST_REMEMBERED) {
            committed.clear();
        }
        lastEvent += groupEvents.size();
        List<Runnable> effects = List.copyOf(groupEffects);
        clearGroup();
        return effects;
    }

    /** Gives the group up. SQLite may have done so already, with the error that led here. */
    void rollback() throws SQLException {
        takeAway();
        clearGroup();
        if (begun) {
            begun = false;
            try {
                sql.execute("ROLLBACK");
            } catch (SQLException e) {
                if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
                    throw e;
                }
            }
        }
    }

    private void clearGroup() {
        clearUnit();
        group.clear();
        groupEvents.clear();
        groupEffects.clear();
    }
}
