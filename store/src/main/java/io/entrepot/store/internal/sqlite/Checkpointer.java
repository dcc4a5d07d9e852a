package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Faults;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Room;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Sql;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves committed pages from the log into the database file, mostly beside the writer and not in its way.
 *
 * <p>A thread of its own copies what has gathered whenever it is a quarter of the allowed log. That never quite catches
 * up with a busy writer, and the log can start over only when it has: so once the log is full, the writer itself copies
 * the few pages that are left, between two groups. Only then does SQLite sync the database file, and the writer waits for it;
 * so the thread syncs what it has copied, and little is left for that. If it was in vain the writer tries again after another quarter.
 *
 * <p>The log cannot start over either while somebody reads from it, and when several read in turn there is always
 * somebody. So once the log is twice as long as allowed, the writer waits for those who read now; whoever comes
 * meanwhile reads from the database file and is not in the way. It waits {@value #PAUSE_MILLIS} ms at most, and again
 * only after another full log: a snapshot that is held for an hour makes the log long, but not the writer slow.
 *
 * <p>When room on the disk is short, everything is copied at once, while the database file can still grow, and the log starts over when
 * its file is full, however short that is: what is written then is to free room, and a longer log would take it.
 *
 * <p>A failed sync here is fatal to the store, as in a commit: pages that the system has dropped must not be believed.
 * A full disk is not: the log still has everything.
 */
final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    private static final Ticker REAL = Ticker.system();
    private static final long LOOK_EVERY_MILLIS = 25;
    /** To look at the log costs as much as a small group's statements do, and what few groups write does not matter. */
    private static final long WRITER_LOOKS_EVERY_NANOS = 5_000_000;
    private static final int PAUSE_MILLIS = 50;
    /** What cannot be copied, as the disk is full, is tried again after that. */
    private static final long AGAIN_NANOS = 1_000_000_000;
    /** When room is short, the log's file is not made longer than this. */
    private static final long SHORT_LOG = 1 << 20;
    private static final long SMALLEST_STEP = 256 << 10;
    private static final long LARGEST_STEP = 4 << 20;

    private final Sql sql;
    private final Faults faults;
    private final Consumer<StoreException> failed;
    private final Database database;
    private final Headroom headroom;
    private final Thread thread;
    private volatile boolean closing;
    /** Whether it was told that the log cannot be emptied. */
    private volatile boolean stuck;
    /** Of the thread: when it last copied. */
    private long copied;
    /** Of the thread. Stays open: to close it would give up the locks that SQLite has on the file. */
    private @Nullable FileChannel file;
    /** Of the writer: what the log was allowed when it last looked. */
    private long allowedBefore;
    /** Of the writer: how long the log may be before it copies what is left. */
    private long calm;
    /** Of the writer: how long the log may be before it waits for readers. */
    private long patience;
    /** Of the writer: how long the log was when it last looked, and how long its file. */
    private long used;
    private long room;
    /** Of the writer: when it last looked. */
    private long looked = REAL.nanos() - WRITER_LOOKS_EVERY_NANOS;

    /** Pages in the log, how many of them are in the database file already, and whether somebody was in the way. */
    private record Log(boolean busy, long pages, long copied) {

        long bytes() {
            return pages * Database.LOGGED_PAGE;
        }
    }

    Checkpointer(Database database, Headroom headroom, Faults faults, Consumer<StoreException> failed)
            throws SQLException {
        this.database = database;
        this.headroom = headroom;
        this.sql = database.checkpointer();
        this.faults = faults;
        this.failed = failed;
        this.thread = Thread.ofPlatform().daemon().name("store-checkpoint-" + database.file().getFileName())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** For the writer, between groups: starts the log over if it is full, and sees that its file has room. */
    void tend(Sql writer) throws SQLException {
        long now = REAL.nanos();
        boolean roomIsShort = headroom.lately() != Room.Level.ENOUGH;
        if (now - looked < WRITER_LOOKS_EVERY_NANOS && !roomIsShort) {
            return;
        }
        looked = now;
        long before = used;
        used = checkpoint(writer, "NOOP").bytes();
        startOverIfFull(writer, roomIsShort ? Math.clamp(room, SHORT_LOG, database.walBytes()) : database.walBytes());
        if (used < before || room == 0) {
            room = database.logBytes(); // it has started over, and its file may have been cut off; or it was left by a crash
        }
        if (!roomIsShort) {
            makeRoom();
        }
    }

    private void startOverIfFull(Sql writer, long allowed) throws SQLException {
        if (used <= allowed || allowed != allowedBefore) {
            calm = allowed;
            patience = 2 * allowed;
        }
        allowedBefore = allowed;
        if (used > calm) {
            faults.reach(Faults.Point.CHECKPOINT);
            checkpoint(writer, "PASSIVE");
            calm = used + allowed / 4;
            if (used > patience && waiting(writer, "RESTART").busy) {
                patience = used + allowed;
            }
        }
    }

    /**
     * Lengthens the log's file ahead of the log. To sync a file that has grown takes twice as long as to sync one that was
     * written over, since its new length and place go through the file system's journal: better once for many groups
     * than for each. What is ahead of the log is zeros, which SQLite never takes for a page of it.
     */
    private void makeRoom() {
        long step = Math.clamp(room, SMALLEST_STEP, LARGEST_STEP);
        boolean enough = used + step / 2 < room || room >= database.walBytes();
        if (used == 0 || enough || !database.sync()) {
            return;
        }
        try {
            room = database.lengthenLog(step);
        } catch (IOException e) {
            LOG.debug("the log of {} could not be made longer ahead of time", database.file(), e);
            room = Long.MAX_VALUE;
        }
    }

    /** For the writer, outside of a transaction: empties the log and cuts it off. Says whether nobody was in the way. */
    boolean truncate(Sql writer) throws SQLException {
        faults.reach(Faults.Point.CHECKPOINT);
        return !waiting(writer, "TRUNCATE").busy;
    }

    private Log waiting(Sql writer, String mode) throws SQLException {
        writer.exhaust("PRAGMA busy_timeout = " + PAUSE_MILLIS);
        try {
            return checkpoint(writer, mode);
        } finally {
            writer.exhaust("PRAGMA busy_timeout = " + Database.PATIENCE_MILLIS);
        }
    }

    private void run() {
        try {
            while (!closing) {
                synchronized (this) {
                    wait(LOOK_EVERY_MILLIS);
                }
                if (!closing) {
                    look();
                }
            }
        } catch (Throwable e) {
            failed.accept(NotDoneException.io(
                    "moving the log of " + database.file() + " into the database failed (" + e.getMessage() + ")", e));
        }
    }

    private void look() throws SQLException {
        Log log = checkpoint(sql, "NOOP");
        boolean inVain = stuck && REAL.nanos() - copied < AGAIN_NANOS;
        if (!inVain && (log.pages - log.copied) * Database.PAGE > (roomIsShort() ? 0 : database.walBytes() / 4)) {
            copied = REAL.nanos();
            faults.reach(Faults.Point.CHECKPOINT);
            checkpoint(sql, "PASSIVE");
            syncCopied();
        }
    }

    /** Then the database file gets the length that it needs for what is in the log, while that can be had. */
    private boolean roomIsShort() {
        try {
            return !headroom.room().isEnough();
        } catch (StoreException e) {
            return false; // whoever writes is told
        }
    }

    /** By a descriptor of our own: SQLite hears of a failure, too. */
    private void syncCopied() throws SQLException {
        if (!database.sync()) {
            return;
        }
        if (file == null) {
            try {
                file = FileChannel.open(database.file(), StandardOpenOption.WRITE);
            } catch (IOException e) {
                LOG.debug("{} could not be synced ahead of time", database.file(), e);
                return; // SQLite will
            }
        }
        try {
            file.force(false);
        } catch (IOException e) {
            throw new SQLException("the sync of " + database.file() + " failed: " + e.getMessage(), e);
        }
    }

    private Log checkpoint(Sql connection, String mode) throws SQLException {
        try {
            Log log = connection.query("PRAGMA wal_checkpoint(" + mode + ")",
                    row -> new Log(row.getBoolean(1), Math.max(0, row.getLong(2)), Math.max(0, row.getLong(3))))
                    .getFirst();
            if (!mode.equals("NOOP")) {
                stuck = false;
            }
            return log;
        } catch (SQLException e) {
            if (Errors.notDone(e, database.file()).code().equals("store.disk-full")) {
                if (!stuck) {
                    LOG.warn("the disk of {} is full: the log cannot be emptied now", database.file());
                }
                stuck = true;
                return new Log(true, 0, 0);
            }
            throw e;
        }
    }

    /** Ends the thread. Called once, uninterrupted. */
    @Override
    public void close() throws SQLException {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        Uninterrupted.join(thread);
        sql.close();
    }

    /** When SQLite has no connection any more, and the thread has ended. */
    void release() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
