package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Counter;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import io.entrepot.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads on one connection; the transaction that makes them consistent is its owner's business. It answers only the
 * thread it was handed to, and only until it is taken away: the connection is others' after that.
 */
class SqliteSnapshot implements Snapshot {
    final Sql sql;
    final Path file;
    long now;
    private volatile @Nullable Thread user;

    SqliteSnapshot(Sql sql, Path file) {
        this.sql = sql;
        this.file = file;
    }

    void handOver() {
        user = Thread.currentThread();
    }

    void takeAway() {
        user = null;
    }

    void requireUser() {
        if (!Thread.currentThread().equals(user)) {
            throw new IllegalStateException("used outside of the unit of work or reading it was handed to");
        }
    }

    /** What a failed statement means. */
    StoreException failed(SQLException e) {
        return Errors.notDone(e, file);
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public <T> List<T> query(String text, RowReader<T> reader, @Nullable Object... args) {
        requireUser();
        try {
            return sql.query(text, reader, args);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public <T> List<T> queryEach(String text, RowReader<T> reader, List<@Nullable Object[]> rows,
            @Nullable Object... args) {
        requireUser();
        try {
            return sql.queryEach(text, reader, rows, args);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public long count(Counter counter) {
        return first("SELECT n FROM counter WHERE name = ? AND id = ?", row -> row.getLong(1), counter.name(),
                counter.id()).orElse(0L);
    }
}
