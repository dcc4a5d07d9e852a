package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Counter;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.internal.jdbc.JdbcTransaction;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a group on SQLite. Counters and the number of the newest event are remembered between groups:
 * nobody else writes them.
 */
final class SqliteTransaction extends JdbcTransaction {
    private static final int MOST_REMEMBERED = 10_000;

    private final Map<Counter, Long> committed = new HashMap<>();

    private final LogSync log;
    private final Headroom headroom;
    private List<Meanwhile> failed = List.of();

    SqliteTransaction(Sql sql, LogSync log, Headroom headroom) {
        super(sql);
        this.log = log;
        this.headroom = headroom;
    }

    @Override
    protected void begin() throws SQLException {
        sql.execute("BEGIN IMMEDIATE");
        sql.takeChanged(); // what was before is not of this group
    }

    @Override
    public void requireRoom() {
        super.requireRoom();
        headroom.requireRoom();
    }

    @Override
    protected void end() throws SQLException {
        log.commit(super::end, sql.takeChanged(), () -> {
            failed = awaitOthers();
            return failed.isEmpty();
        });
    }

    /** Readers wait until the log is synced, and for what goes on beside the group as well; but not if it may never be undone. */
    @Override
    protected boolean isSeenAtOnce() {
        return log.undoesNothing();
    }

    @Override
    public List<Meanwhile> failedOthers() {
        return failed;
    }

    @Override
    public void notUndone() {
        log.fail();
    }

    @Override
    protected long committed(Counter counter) {
        return committed.computeIfAbsent(counter, this::stored);
    }

    @Override
    protected long eventsBefore() {
        return lastEvent();
    }

    @Override
    protected void writeCounters(List<@Nullable Object[]> rows) throws SQLException {
        sql.updateEach("INSERT INTO counter (name, id, n) VALUES $rows"
                + " ON CONFLICT (name, id) DO UPDATE SET n = counter.n + excluded.n", rows);
    }

    @Override
    protected void counted(Map<Counter, Long> deltas) {
        deltas.forEach((counter, delta) -> committed.computeIfPresent(counter, (_, n) -> n + delta));
        if (committed.size() > MOST_REMEMBERED) {
            committed.clear();
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
}
