package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Counter;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads on one connection; the transaction that makes them consistent is its owner's business. */
class SqliteSnapshot implements Snapshot {
    final Sql sql;
    final Path file;
    long now;

    SqliteSnapshot(Sql sql, Path file) {
        this.sql = sql;
        this.file = file;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public <T> List<T> query(String text, RowReader<T> reader, @Nullable Object... args) {
        try {
            return sql.query(text, reader, args);
        } catch (SQLException e) {
            throw Errors.notDone(e, file);
        }
    }

    @Override
    public <T> List<T> queryEach(String text, RowReader<T> reader, List<@Nullable Object[]> rows,
            @Nullable Object... args) {
        try {
            return sql.queryEach(text, reader, rows, args);
        } catch (SQLException e) {
            throw Errors.notDone(e, file);
        }
    }

    @Override
    public long count(Counter counter) {
        return first("SELECT n FROM counter WHERE name = ? AND id = ?", row -> row.getLong(1), counter.name(),
                counter.id()).orElse(0L);
    }
}
