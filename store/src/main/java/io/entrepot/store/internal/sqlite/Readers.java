package io.entrepot.store.internal.sqlite;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Reading;
import io.entrepot.store.StoreClosedException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * A fixed number of platform threads that read, each on a connection of its own. SQLite calls would pin the carrier of a
 * virtual thread, so callers hand their reading over and wait. Safe for use by many threads.
 */
final class Readers implements AutoCloseable {
    private final Database database;
    private final InstantSource time;
    private final ExecutorService threads;
    /** Connections that nobody reads on now; there are never more than there are threads. */
    private final Deque<SqliteSnapshot> idle = new ConcurrentLinkedDeque<>();

    Readers(Database database, int size, InstantSource time) {
        this.database = database;
        this.time = time;
        this.threads = Executors.newFixedThreadPool(size,
                Thread.ofPlatform().daemon().name("store-reader-" + database.file().getFileName() + "-", 1).factory());
    }

    <R> R read(Reading<R> reading) {
        Future<R> answer;
        try {
            answer = threads.submit(() -> run(reading));
        } catch (RejectedExecutionException e) {
            throw new StoreClosedException("the store has been closed", e);
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (CancellationException e) {
                    throw new StoreClosedException("the store was closed before this could be read", e);
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        return switch (e.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> NotDoneException.io("reading failed", e);
        };
    }

    private <R> R run(Reading<R> reading) {
        try {
            SqliteSnapshot snapshot = idle.pollFirst();
            if (snapshot == null) {
                snapshot = new SqliteSnapshot(database.reader(), database.file());
            }
            try {
                return run(reading, snapshot);
            } finally {
                idle.addFirst(snapshot);
            }
        } catch (SQLException e) {
            throw Errors.notDone(e, database.file());
        }
    }

    private <R> R run(Reading<R> reading, SqliteSnapshot snapshot) throws SQLException {
        snapshot.now = time.millis();
        snapshot.sql.execute("BEGIN");
        try {
            return reading.run(snapshot);
        } finally {
            snapshot.sql.execute("ROLLBACK");
        }
    }

    @Override
    public void close() throws SQLException {
        threads.close();
        for (SqliteSnapshot snapshot : idle) {
            snapshot.sql.close();
        }
    }
}
