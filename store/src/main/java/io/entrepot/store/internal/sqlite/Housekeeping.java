package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the committing thread sees to besides committing: that the disk has room before a group begins, that the time is
 * known after a restart, that the log starts over when it is full. Belongs to the committing thread.
 *
 * <p>INVARIANT: no group commits with a time later than what is on the disk as the time to go on from. So that not
 * every group has to write it, it is written a little ahead; only a store closed in good order leaves it exact.
 */
final class Housekeeping implements Committer.BetweenGroups {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final long AHEAD_MILLIS = 1000;

    private final Database database;
    private final Headroom headroom;
    private final InstantSource time;
    private final Checkpointer checkpointer;
    private final JdbcEvents events;
    private long promised;
    private long promising;

    /** {@code promised} is the time that this store has found on the disk. */
    Housekeeping(Database database, Headroom headroom, InstantSource time, long promised, Checkpointer checkpointer,
            JdbcEvents events) {
        this.database = database;
        this.headroom = headroom;
        this.time = time;
        this.promised = promised;
        this.checkpointer = checkpointer;
        this.events = events;
    }

    @Override
    public void before() {
        headroom.requireAny();
    }

    @Override
    public void within(JdbcTransaction tx) throws SQLException {
        if (tx.time() > promised) {
            promising = tx.time() + AHEAD_MILLIS;
            saveTime(tx, promising);
        }
    }

    @Override
    public void committed(JdbcTransaction tx) {
        promised = Math.max(promised, promising);
        events.reached(tx.lastEvent());
    }

    @Override
    public void after(JdbcTransaction tx) throws SQLException {
        checkpointer.tend(tx.sql());
    }

    @Override
    public void closing(JdbcTransaction tx) {
        long now = time.millis();
        if (promising == 0 || now >= promised) {
            return; // nothing was promised in this life, or the promise has been overtaken
        }
        try {
            tx.beginGroup(() -> Instant.ofEpochMilli(now));
            saveTime(tx, now);
            tx.commit();
        } catch (SQLException e) {
            // What was promised is still there.
            LOG.warn("closing {}: the time could not be saved: {}", database.file(), e.getMessage());
        }
    }

    private static void saveTime(JdbcTransaction tx, long millis) throws SQLException {
        tx.sql().update("INSERT INTO meta VALUES ('time', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                String.valueOf(millis));
    }

    @Override
    public void ended() {
        events.ended();
    }
}
