package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.jdbc.JdbcSnapshot;
import io.entrepot.store.internal.jdbc.Readers;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of the readers: made when there is none that nobody reads on, and kept. Thread-safe.
 *
 * <p>INVARIANT: nobody gets a snapshot with something in it that is not on the disk.
 */
final class IdleConnections implements Readers.Source {
    private static final Logger LOG = LoggerFactory.getLogger(IdleConnections.class);

    /** It is by its first reading, and not when it begins, that a transaction gets its snapshot. */
    private static final String FIRST = "SELECT 1 FROM meta LIMIT 1";

    private final Database database;
    private final LogSync log;
    private final Deque<JdbcSnapshot> idle = new ConcurrentLinkedDeque<>();

    IdleConnections(Database database, LogSync log) {
        this.database = database;
        this.log = log;
    }

    @Override
    public JdbcSnapshot begin() {
        JdbcSnapshot snapshot = idle.pollFirst();
        try {
            if (snapshot == null) {
                snapshot = new JdbcSnapshot(database.reader());
            }
            while (!begun(snapshot.sql())) {
                snapshot.sql().execute("ROLLBACK");
            }
            return snapshot;
        } catch (SQLException e) {
            discard(snapshot);
            throw Errors.notDone(e, database.file());
        } catch (RuntimeException e) {
            discard(snapshot);
            throw e;
        }
    }

    private boolean begun(Sql sql) throws SQLException {
        long before = log.durable();
        sql.execute("BEGIN");
        sql.query(FIRST, row -> row.getInt(1));
        return log.await(before);
    }

    /** A connection that does not come out of its transaction is not used again. */
    @Override
    public void end(JdbcSnapshot snapshot) {
        try {
            snapshot.sql().execute("ROLLBACK");
            idle.addFirst(snapshot);
        } catch (SQLException e) {
            discard(snapshot);
        }
    }

    private void discard(@Nullable JdbcSnapshot snapshot) {
        if (snapshot != null) {
            try {
                snapshot.sql().close();
            } catch (SQLException e) {
                LOG.warn("a connection to {} could not be closed: {}", database.file(), e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        idle.forEach(this::discard);
    }
}
