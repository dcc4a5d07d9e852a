package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.jdbc.JdbcSnapshot;
import io.entrepot.store.internal.jdbc.Readers;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of the readers: made when there is none that nobody reads on, and kept. Thread-safe. */
final class IdleConnections implements Readers.Source {
    private static final Logger LOG = LoggerFactory.getLogger(IdleConnections.class);

    private final Database database;
    private final Deque<JdbcSnapshot> idle = new ConcurrentLinkedDeque<>();

    IdleConnections(Database database) {
        this.database = database;
    }

    @Override
    public JdbcSnapshot begin() {
        JdbcSnapshot snapshot = idle.pollFirst();
        try {
            if (snapshot == null) {
                snapshot = new JdbcSnapshot(database.reader());
            }
            snapshot.sql().execute("BEGIN");
            return snapshot;
        } catch (SQLException e) {
            discard(snapshot);
            throw Errors.notDone(e, database.file());
        }
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
