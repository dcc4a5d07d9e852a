package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Faults;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreException;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves committed pages from the log into the database file, mostly beside the writer and not in its way.
 *
 * <p>A thread of its own copies what has gathered whenever it is a quarter of the allowed log. That never quite catches
 * up with a busy writer, and the log can start over only when it has: so once the log is full, the writer itself copies
 * the few pages that are left, between two groups. Only then does it wait for the database file's sync.
 *
 * <p>A failed sync here is fatal to the store, as in a commit: pages that the system has dropped must not be believed.
 * A full disk is not: the log still has everything.
 */
final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    private static final long LOOK_EVERY_MILLIS = 25;

    private final Sql sql;
    private final long walPages;
    private final Faults faults;
    private final Consumer<StoreException> failed;
    private final Database database;
    private final Thread thread;
    private volatile boolean logIsFull;
    private volatile boolean closing;

    /** Pages in the log, and how many of them are in the database file already. */
    private record Log(long pages, long copied) {}

    Checkpointer(Database database, long walBytes, Faults faults, Consumer<StoreException> failed) throws SQLException {
        this.database = database;
        this.sql = database.checkpointer();
        this.walPages = walBytes / Database.PAGE;
        this.faults = faults;
        this.failed = failed;
        this.thread = Thread.ofPlatform().daemon().name("store-checkpoint-" + database.file().getFileName())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** For the writer, between groups: starts the log over if it is full. */
    void startOverIfFull(Sql writer) throws SQLException {
        if (logIsFull) {
            faults.reach(Faults.Point.CHECKPOINT);
            checkpoint(writer, "PASSIVE");
            logIsFull = false;
        }
    }

    /** Empties the log and cuts it off, if no reader is in the way. */
    synchronized void truncate() throws SQLException {
        checkpoint(sql, "TRUNCATE");
    }

    private void run() {
        try {
            while (!closing) {
                synchronized (this) {
                    wait(LOOK_EVERY_MILLIS);
                    if (!closing) {
                        look();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            failed.accept(NotDoneException.io(
                    "moving the log of " + database.file() + " into the database failed (" + e.getMessage() + ")", e));
        }
    }

    private void look() throws SQLException {
        Log log = checkpoint(sql, "NOOP");
        if (log.pages - log.copied > walPages / 4) {
            faults.reach(Faults.Point.CHECKPOINT);
            log = checkpoint(sql, "PASSIVE");
        }
        if (log.pages > walPages) {
            logIsFull = true;
        }
    }

    private Log checkpoint(Sql connection, String mode) throws SQLException {
        try {
            return connection.query("PRAGMA wal_checkpoint(" + mode + ")",
                    row -> new Log(Math.max(0, row.getLong(2)), Math.max(0, row.getLong(3)))).getFirst();
        } catch (SQLException e) {
            if (Errors.notDone(e, database.file()).code().equals("store.disk-full")) {
                LOG.warn("the disk of {} is full: the log cannot be emptied now", database.file());
                return new Log(0, 0);
            }
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sql.close();
    }
}
