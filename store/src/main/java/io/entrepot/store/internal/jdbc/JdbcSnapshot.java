package io.entrepot.store.internal.jdbc;

import io.entrepot.store.Counter;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import io.entrepot.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads on one connection; the transaction that makes them consistent is its owner's business. It answers only the
 * thread it was handed to, and only until it is taken away: the connection is others' after that.
 */
public class JdbcSnapshot implements Snapshot {
    /** Replaced only while nobody uses it. */
    protected Sql sql;
    private long now;
    private volatile @Nullable Thread user;

    public JdbcSnapshot(Sql sql) {
        this.sql = sql;
    }

    public final Sql sql() {
        return sql;
    }

    /** The calling thread may use it from now on; the time of its unit or reading is this. */
    public final void handOver(long time) {
        now = time;
        user = Thread.currentThread();
    }

    public final void takeAway() {
        user = null;
    }

    protected void requireUser() {
        if (!Thread.currentThread().equals(user)) {
            throw new IllegalStateException("used outside of the unit of work or reading it was handed to");
        }
    }

    /** What a failed statement means. */
    protected StoreException failed(SQLException e) {
        return sql.dialect().notDone(e);
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
        return first(sql.dialect().counter(), row -> row.getLong(1), counter.name(), counter.id()).orElse(0L);
    }
}
