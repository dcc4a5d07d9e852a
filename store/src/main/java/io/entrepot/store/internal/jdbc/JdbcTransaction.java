package io.entrepot.store.internal.jdbc;

import io.entrepot.store.Counter;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.RowReader;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import io.entrepot.store.internal.EventCodec;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction that the units of a group share, one after another, each within a savepoint where these cost little. What a unit adds to
 * counters, events and effects is held back until the unit has succeeded, and written once for the whole group.
 *
 * <p>On some errors a database ends the transaction by itself; what ran after that would be on its own and durable at
 * once. So after such an error nothing runs any more, even if the unit swallowed it, and the group is given up.
 *
 * <p>Belongs to the committing thread.
 */
public abstract class JdbcTransaction extends JdbcSnapshot implements Transaction {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransaction.class);

    private final Map<Counter, Long> group = new HashMap<>();
    private final Map<Counter, Long> unit = new HashMap<>();
    private final List<byte[]> groupEvents = new ArrayList<>();
    private final List<byte[]> unitEvents = new ArrayList<>();
    private final Set<String> groupMessages = new LinkedHashSet<>();
    private final Set<String> unitMessages = new LinkedHashSet<>();
    private final List<Runnable> groupEffects = new ArrayList<>();
    private final List<Runnable> unitEffects = new ArrayList<>();
    private final List<Meanwhile> groupOthers = new ArrayList<>();
    private final List<Meanwhile> unitOthers = new ArrayList<>();
    private long lastEvent;
    private long reaching;
    private long time;
    private boolean begun;
    private boolean careful;
    private boolean unitWrote;
    private @Nullable StoreException broken;
    private boolean conflict;
    private @Nullable StoreException unitFailure;

    protected JdbcTransaction(Sql sql) {
        super(sql);
    }

    /** Begins the transaction; from then on nothing changes that its units must not see change. */
    protected abstract void begin() throws SQLException;

    /** The counter before this group. */
    protected abstract long committed(Counter counter);

    /** The number of the newest event before this group. */
    protected abstract long eventsBefore() throws SQLException;

    /** Adds to counters: each row has a name, a number, and what to add. */
    protected abstract void writeCounters(List<@Nullable Object[]> rows) throws SQLException;

    /** Whether others see the group as soon as it is committed. */
    protected boolean isSeenAtOnce() {
        return true;
    }

    /** The group is durable, and has changed counters so. */
    protected abstract void counted(Map<Counter, Long> deltas);

    /** At the opening: where the events end. */
    public final void eventsEndAt(long last) {
        lastEvent = last;
    }

    /** The number of the newest event that is durable, as far as this transaction knows. */
    public final long lastEvent() {
        return lastEvent;
    }

    /** The time of the group. */
    public final long time() {
        return time;
    }

    /** The error after which the group cannot go on, if there was one. */
    final @Nullable StoreException broken() {
        return broken;
    }

    /** Whether the group cannot go on because of what somebody else did at the same moment. */
    final boolean conflict() {
        return broken != null && conflict;
    }

    /** The failure after which the unit can only be undone, even if it has swallowed it. */
    final @Nullable StoreException unitFailure() {
        return unitFailure;
    }

    @Override
    protected void requireUser() {
        super.requireUser();
        if (broken != null) {
            throw broken;
        }
    }

    @Override
    protected StoreException failed(SQLException e) {
        StoreException failure = super.failed(e);
        if (sql.dialect().endsTransaction(e)) {
            broken = failure;
            conflict = sql.dialect().isConflict(e);
        } else if (sql.dialect().failsUnit() && unitFailure == null) {
            unitFailure = failure;
        }
        return failure;
    }

    @Override
    public <T> List<T> query(String text, RowReader<T> reader, @Nullable Object... args) {
        unitWrote |= mayWrite(text);
        return super.query(text, reader, args);
    }

    @Override
    public <T> List<T> queryEach(String text, RowReader<T> reader, List<@Nullable Object[]> rows,
            @Nullable Object... args) {
        unitWrote |= mayWrite(text);
        return super.queryEach(text, reader, rows, args);
    }

    /** A statement that returns rows may change others. */
    private static boolean mayWrite(String text) {
        return !text.startsWith("SELECT ");
    }

    /** The disk of a server is the server's. */
    @Override
    public void requireRoom() {
        requireUser();
    }

    @Override
    public int update(String text, @Nullable Object... args) {
        requireUser();
        unitWrote = true;
        try {
            return sql.update(text, args);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public int updateEach(String text, List<@Nullable Object[]> rows, @Nullable Object... args) {
        requireUser();
        unitWrote = true;
        try {
            return sql.updateEach(text, rows, args);
        } catch (SQLException e) {
            throw failed(e);
        }
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
        return committed(counter) + group.getOrDefault(counter, 0L)
                + unit.getOrDefault(counter, 0L);
    }

    @Override
    public void publish(Owner owner, String type, String subject, String body) {
        requireUser();
        unitEvents.add(EventCodec.encode(owner, type, subject, body));
    }

    @Override
    public void tell(String message) {
        requireUser();
        if (message.length() > LONGEST_MESSAGE || !message.chars().allMatch(c -> c > 0 && c < 128)) {
            throw new IllegalArgumentException("a message is at most " + LONGEST_MESSAGE + " characters of ASCII");
        }
        unitMessages.add(message);
    }

    @Override
    public void afterCommit(Runnable effect) {
        requireUser();
        unitEffects.add(Objects.requireNonNull(effect));
    }

    @Override
    public void meanwhile(Meanwhile other) {
        requireUser();
        unitOthers.add(Objects.requireNonNull(other));
    }

    /** As committed, by the query of the snapshot. */
    protected final long stored(Counter counter) {
        return super.count(counter);
    }

    public final void beginGroup(InstantSource clock) throws SQLException {
        beginGroup(clock, true);
    }

    /**
     * Begins a group. One that is not careful has no savepoints, and must be repeated as one that is if a unit has to be
     * undone that may have changed something ({@link Undone}).
     */
    final void beginGroup(InstantSource clock, boolean withCare) throws SQLException {
        broken = null;
        careful = withCare;
        begin();
        begun = true;
        time = clock.millis();
    }

    /** For units that were asked for since the group began: none is to see a time before that. */
    final void goOn(InstantSource clock) throws SQLException {
        writeEvents();
        time = clock.millis();
    }

    public final void beginUnit() throws SQLException {
        if (careful) {
            sql.execute("SAVEPOINT unit");
        }
        handOver(time);
    }

    public final void keepUnit() throws SQLException {
        takeAway();
        if (broken != null) {
            throw broken;
        }
        if (careful) {
            sql.execute("RELEASE unit");
        }
        unit.forEach((counter, delta) -> group.merge(counter, delta, Long::sum));
        groupEvents.addAll(unitEvents);
        groupMessages.addAll(unitMessages);
        groupEffects.addAll(unitEffects);
        groupOthers.addAll(unitOthers);
        clearUnit();
    }

    final void undoUnit() throws SQLException {
        takeAway();
        boolean changed = unitWrote || unitFailure != null;
        clearUnit();
        if (careful) {
            sql.execute("ROLLBACK TO unit");
            sql.execute("RELEASE unit");
        } else if (changed) {
            throw new Undone();
        }
    }

    /** What a unit has done cannot be taken back alone: the group is to be repeated, with care. */
    static final class Undone extends RuntimeException {
        Undone() {
            super("a unit without a savepoint has to be undone", null, false, false);
        }
    }

    private void clearUnit() {
        unitFailure = null;
        unitWrote = false;
        unit.clear();
        unitEvents.clear();
        unitMessages.clear();
        unitEffects.clear();
        unitOthers.clear();
    }

    /** Waits for what goes on beside the group; those that have not ended well are to be undone. */
    protected final List<Meanwhile> awaitOthers() {
        List<Meanwhile> failed = groupOthers.stream().filter(other -> !hasEnded(other)).toList();
        groupOthers.clear();
        return failed;
    }

    private static boolean hasEnded(Meanwhile other) {
        try {
            return other.hasEnded();
        } catch (RuntimeException e) {
            LOG.error("what goes on beside a unit of work could not be awaited; the unit is undone", e);
            return false;
        }
    }

    /** Each as a unit of its own. */
    final void undo(List<Meanwhile> failed) throws SQLException {
        for (Meanwhile one : failed) {
            beginUnit();
            one.undo(this);
            keepUnit();
        }
    }

    /** What is to be undone of the group that was committed, before anybody sees it. */
    public List<Meanwhile> failedOthers() {
        return List.of();
    }

    /** That has failed. */
    public void notUndone() {}

    /** Writes what the group has gathered. After this only the commit is left. */
    final void flush() throws SQLException {
        if (isSeenAtOnce()) {
            undo(awaitOthers());
        }
        group.values().removeIf(delta -> delta == 0);
        if (!group.isEmpty()) {
            List<@Nullable Object[]> rows = new ArrayList<>(group.size());
            group.forEach((counter, delta) -> rows.add(new Object[]{counter.name(), counter.id(), delta}));
            writeCounters(rows);
        }
        writeEvents();
    }

    private void writeEvents() throws SQLException {
        if (groupEvents.isEmpty()) {
            return;
        }
        long first = (reaching > 0 ? reaching : eventsBefore()) + 1;
        reaching = first - 1 + groupEvents.size();
        for (List<byte[]> row : EventCodec.rows(groupEvents)) {
            sql.update("INSERT INTO event (first, n, at, entries) VALUES (?, ?, ?, ?)", first, row.size(), time,
                    EventCodec.pack(row));
            first += row.size();
        }
        groupEvents.clear();
    }

    /** {@link NotDoneException} if it is certain that nothing was done; anything else leaves it unknown. */
    public final void commit() throws SQLException {
        end();
        begun = false;
    }

    /** Ends the transaction. */
    protected void end() throws SQLException {
        sql.execute("COMMIT");
    }

    /** What the group tells other processes. */
    public final Set<String> messages() {
        return groupMessages;
    }

    /** Whether the group publishes something. */
    public final boolean publishes() {
        return reaching > 0 || !groupEvents.isEmpty();
    }

    /** The group is durable: takes over what it counted, and returns the effects to run. */
    final List<Runnable> committed() {
        counted(group);
        lastEvent = Math.max(lastEvent, reaching);
        List<Runnable> effects = List.copyOf(groupEffects);
        clearGroup();
        return effects;
    }

    /** Gives the group up. The database may have done so already, with the error that led here. */
    public final void rollback() throws SQLException {
        takeAway();
        clearGroup();
        if (begun) {
            begun = false;
            try {
                sql.execute("ROLLBACK");
            } catch (SQLException e) {
                if (!sql.dialect().saysThereIsNoTransaction(e)) {
                    throw e;
                }
            }
        }
    }

    private void clearGroup() {
        clearUnit();
        group.clear();
        groupEvents.clear();
        groupMessages.clear();
        groupEffects.clear();
        groupOthers.clear();
        reaching = 0;
    }
}
