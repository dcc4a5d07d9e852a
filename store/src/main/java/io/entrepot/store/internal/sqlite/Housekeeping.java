package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.NotDoneException;
import java.sql.SQLException;

/**
 * What the committing thread sees to besides committing: that the disk has room before a group begins, that the time is
 * known after a restart, that the log starts over when it is full. Belongs to the committing thread.
 */
final class Housekeeping implements Committer.BetweenGroups {
    private static final Ticker REAL = Ticker.system();
    private static final long LOOK_EVERY_NANOS = 50_000_000L;
    private static final long SAVE_TIME_EVERY_MILLIS = 1000;

    private final Database database;
    private final long headroom;
    private final Checkpointer checkpointer;
    private final SqliteEvents events;
    private long lookedAt = REAL.nanos() - LOOK_EVERY_NANOS;
    private long usable = Long.MAX_VALUE;
    private long savedTime;
    private long savingTime;
    private long lastEvent;

    Housekeeping(Database database, long headroom, Checkpointer checkpointer, SqliteEvents events) {
        this.database = database;
        this.headroom = headroom;
        this.checkpointer = checkpointer;
        this.events = events;
    }

    @Override
    public void before() {
        if (REAL.nanos() - lookedAt >= LOOK_EVERY_NANOS || usable < headroom) {
            usable = database.file().toFile().getUsableSpace();
            lookedAt = REAL.nanos();
        }
        if (usable < headroom) {
            throw NotDoneException.diskFull("the disk of " + database.file() + " has " + usable + " bytes left, and "
                    + headroom + " are kept free; nothing was changed. Free some space and try again", null);
        }
    }

    @Override
    public void within(SqliteTransaction tx) throws SQLException {
        if (tx.now() - savedTime >= SAVE_TIME_EVERY_MILLIS) {
            tx.sql.update("INSERT OR REPLACE INTO meta VALUES ('time', ?)", String.valueOf(tx.now()));
            savingTime = tx.now();
        }
    }

    @Override
    public void committed(SqliteTransaction tx) {
        savedTime = Math.max(savedTime, savingTime);
        if (tx.lastEvent() != lastEvent) {
            lastEvent = tx.lastEvent();
            events.reached(lastEvent);
        }
    }

    @Override
    public void after(SqliteTransaction tx) throws SQLException {
        checkpointer.startOverIfFull(tx.sql);
    }
}
