package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Transaction;
import io.entrepot.store.internal.EventCodec;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that the units of a group share, one after another, each within a savepoint. What a unit adds to
 * counters, events and effects is held back until the unit has succeeded, and written once for the whole group.
 *
 * <p>Belongs to the committing thread. Counters are remembered between groups: nobody else writes them.
 */
final class SqliteTransaction extends SqliteSnapshot implements Transaction {
    private final Map<Counter, Long> committed = new HashMap<>();
    private final Map<Counter, Long> group = new HashMap<>();
    private final Map<Counter, Long> unit = new HashMap<>();
    private final List<EventCodec.Draft> groupEvents = new ArrayList<>();
    private final List<EventCodec.Draft> unitEvents = new ArrayList<>();
    private final List<Runnable> groupEffects = new ArrayList<>();
    private final List<Runnable> unitEffects = new ArrayList<>();
    private long lastEvent;
    private boolean changed;

    SqliteTransaction(Sql sql, Path file) {
        super(sql, file);
    }

    void eventsEndAt(long last) {
        lastEvent = last;
    }

    long lastEvent() {
        return lastEvent;
    }

    @Override
    public int update(String text, @Nullable Object... args) {
        try {
            changed = true;
            return sql.update(text, args);
        } catch (SQLException e) {
            throw Errors.notDone(e, file);
        }
    }

    @Override
    public int updateEach(String text, List<@Nullable Object[]> rows, @Nullable Object... args) {
        try {
            changed = true;
            return sql.updateEach(text, rows, args);
        } catch (SQLException e) {
            throw Errors.notDone(e, file);
        }
    }

    @Override
    public void add(Counter counter, long delta) {
        if (delta != 0) {
            unit.merge(counter, delta, Long::sum);
        }
    }

    @Override
    public long count(Counter counter) {
        return committed.computeIfAbsent(counter, super::count) + group.getOrDefault(counter, 0L)
                + unit.getOrDefault(counter, 0L);
    }

    @Override
    public void publish(Owner owner, String type, String subject, String body) {
        unitEvents.add(new EventCodec.Draft(owner, type, subject, body));
    }

    @Override
    public void afterCommit(Runnable effect) {
        unitEffects.add(effect);
    }

    void beginGroup(long time) throws SQLException {
        now = time;
        changed = false;
        sql.execute("BEGIN IMMEDIATE");
    }

    void beginUnit() throws SQLException {
        sql.execute("SAVEPOINT unit");
    }

    void keepUnit() throws SQLException {
        sql.execute("RELEASE unit");
        unit.forEach((counter, delta) -> group.merge(counter, delta, Long::sum));
        groupEvents.addAll(unitEvents);
        groupEffects.addAll(unitEffects);
        clearUnit();
    }

    void undoUnit() throws SQLException {
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
            changed = true;
        }
        if (!groupEvents.isEmpty()) {
            sql.update("INSERT INTO event (first, n, at, entries) VALUES (?, ?, ?, ?)", lastEvent + 1,
                    groupEvents.size(), now, EventCodec.pack(groupEvents));
            changed = true;
        }
    }

    /** Whether the group has written anything, as far as we can tell without asking SQLite. */
    boolean changed() {
        return changed;
    }

    /** The group is durable: takes over what it counted, and returns the effects to run. */
    List<Runnable> committed() {
        group.forEach((counter, delta) -> committed.computeIfPresent(counter, (_, n) -> n + delta));
        lastEvent += groupEvents.size();
        List<Runnable> effects = List.copyOf(groupEffects);
        clearGroup();
        return effects;
    }

    void rollback() throws SQLException {
        clearGroup();
        sql.execute("ROLLBACK");
    }

    private void clearGroup() {
        clearUnit();
        group.clear();
        groupEvents.clear();
        groupEffects.clear();
    }
}
