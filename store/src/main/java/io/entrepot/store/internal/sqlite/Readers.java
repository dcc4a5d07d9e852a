package io.entrepot.store.internal.sqlite;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Reading;
import io.entrepot.store.StoreClosedException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of platform threads that read, each on a connection of its own. SQLite calls would pin the carrier of a
 * virtual thread, so callers hand their reading over and wait. Safe for use by many threads.
 */
final class Readers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

    private final Database database;
    private final InstantSource time;
    private final Set<Thread> members = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads;
    /** Connections that nobody reads on now; there are never more than there are threads. */
    private final Deque<SqliteSnapshot> idle = new ConcurrentLinkedDeque<>();

    Readers(Database database, int size, InstantSource time) {
        this.database = database;
        this.time = time;
        ThreadFactory factory = Thread.ofPlatform().daemon().name("store-reader-" + database.file().getFileName() + "-",
                1).factory();
        this.threads = Executors.newFixedThreadPool(size, task -> {
            Thread thread = factory.newThread(task);
            members.add(thread);
            return thread;
        });
    }

    /** Whether the calling thread is one of these: it must not wait for another one. */
    boolean areCalling() {
        return members.contains(Thread.currentThread());
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

    private <R> R run(Reading<R> reading) throws SQLException {
        SqliteSnapshot snapshot = idle.pollFirst();
        try {
            if (snapshot == null) {
                snapshot = new SqliteSnapshot(database.reader(), database.file());
            }
            snapshot.now = time.millis();
            snapshot.sql.execute("BEGIN");
        } catch (SQLException e) {
            discard(snapshot);
            throw Errors.notDone(e, database.file());
        }
        snapshot.handOver();
        try {
            return reading.run(snapshot);
        } finally {
            snapshot.takeAway();
            release(snapshot);
        }
    }

    /** A connection that does not come out of its transaction is not used again. */
    private void release(SqliteSnapshot snapshot) {
        try {
            snapshot.sql.execute("ROLLBACK");
            idle.addFirst(snapshot);
        } catch (SQLException e) {
            discard(snapshot);
        }
    }

    private void discard(@Nullable SqliteSnapshot snapshot) {
        if (snapshot != null) {
            try {
                snapshot.sql.close();
            } catch (SQLException e) {
                LOG.warn("a connection to {} could not be closed: {}", database.file(), e.getMessage());
            }
        }
    }

    /** Finishes the readings that were handed in, and ends the threads. Called once, uninterrupted. */
    @Override
    public void close() {
        threads.shutdown();
        members.forEach(Uninterrupted::join);
        idle.forEach(this::discard);
    }
}
