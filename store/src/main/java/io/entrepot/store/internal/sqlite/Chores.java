package io.entrepot.store.internal.sqlite;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.jdbc.Sql;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs long work, each piece on a platform thread of its own while its caller waits. It ends early when the caller is
 * interrupted or the store is closed, and nobody is told so before it has ended: no work goes on that nobody waits for.
 * Safe for use by many threads.
 */
final class Chores implements AutoCloseable {
    private static final Duration ASK_AGAIN = Duration.ofMillis(10);

    private final Path file;
    /** Guards itself and {@code closed}. */
    private final Map<Thread, Chore> running = new HashMap<>();
    private boolean closed;

    interface Work<R> {
        R run(Chore chore) throws SQLException, IOException;
    }

    /** One piece of work, as it sees itself. */
    static final class Chore {
        private volatile @Nullable Sql sql;
        private volatile @Nullable Supplier<StoreException> cancelled;

        /** Names the connection it works on, so that a long statement can be stopped. */
        Sql using(Sql connection) {
            sql = connection;
            goOnOrClose(connection);
            return connection;
        }

        private void goOnOrClose(Sql connection) {
            try {
                goOn();
            } catch (StoreException e) {
                try {
                    connection.close();
                } catch (SQLException close) {
                    e.addSuppressed(close);
                }
                throw e;
            }
        }

        /** Throws if it is to end. */
        void goOn() {
            Supplier<StoreException> reason = cancelled;
            if (reason != null) {
                throw reason.get();
            }
        }

        private void cancel(Supplier<StoreException> reason) {
            if (cancelled == null) {
                cancelled = reason;
            }
        }

        /** Waits for the end. Asks again and again, since a statement may begin just after it was asked. */
        private void awaitEnd(Thread worker) {
            while (!Uninterrupted.join(worker, ASK_AGAIN)) {
                Sql current = sql;
                if (cancelled != null && current != null) {
                    current.cancel();
                }
            }
        }
    }

    Chores(Path file) {
        this.file = file;
    }

    <R> R run(Work<R> work) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(); // short work might be done before anybody looks
        }
        Chore chore = new Chore();
        FutureTask<R> task = new FutureTask<>(() -> work.run(chore));
        Thread worker = Thread.ofPlatform().daemon().name("store-maintenance-" + file.getFileName()).unstarted(task);
        synchronized (running) {
            if (closed) {
                throw closed();
            }
            running.put(worker, chore);
            worker.start();
        }
        try {
            return result(task, chore, worker);
        } finally {
            synchronized (running) {
                running.remove(worker);
            }
        }
    }

    private StoreException interrupted() {
        return NotDoneException.interrupted("the work on " + file + " was interrupted", null);
    }

    private <R> R result(FutureTask<R> task, Chore chore, Thread worker) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    chore.cancel(this::interrupted);
                    chore.awaitEnd(worker);
                } catch (ExecutionException e) {
                    chore.awaitEnd(worker);
                    throw failure(e, chore);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private RuntimeException failure(ExecutionException e, Chore chore) {
        Supplier<StoreException> cancelled = chore.cancelled;
        if (cancelled != null) {
            return cancelled.get();
        }
        return switch (e.getCause()) {
            case SQLException cause -> Errors.notDone(cause, file);
            case IOException cause -> Durable.notDone("the work on " + file + " failed", cause);
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> new IllegalStateException(e);
        };
    }

    private static StoreException closed() {
        return new StoreClosedException("the store was closed", null);
    }

    /** Stops what runs and waits until it has ended. */
    @Override
    public void close() {
        Map<Thread, Chore> last;
        synchronized (running) {
            closed = true;
            last = Map.copyOf(running);
        }
        last.forEach((worker, chore) -> {
            chore.cancel(Chores::closed);
            chore.awaitEnd(worker);
        });
    }
}
