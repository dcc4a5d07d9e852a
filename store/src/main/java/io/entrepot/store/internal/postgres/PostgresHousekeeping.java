package io.entrepot.store.internal.postgres;

import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcTransaction;
import java.sql.SQLException;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the committing thread sees to besides committing: that the time is known to whoever opens the store next, and that
 * other processes hear of what they are told. Belongs to the committing thread.
 */
final class PostgresHousekeeping implements Committer.BetweenGroups {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHousekeeping.class);
    private static final long AHEAD_MILLIS = 1000;

    private final JdbcEvents events;
    private final Channel channel;
    private final InstantSource time;
    private long promised;
    private long promising;

    /** {@code promised} is the time that this store has found in the database. */
    PostgresHousekeeping(JdbcEvents events, Channel channel, InstantSource time, long promised) {
        this.events = events;
        this.channel = channel;
        this.time = time;
        this.promised = promised;
    }

    @Override
    public void before() {
        // The disk is the database's business.
    }

    @Override
    public void within(JdbcTransaction tx) throws SQLException {
        if (tx.time() > promised) {
            promising = tx.time() + AHEAD_MILLIS;
            // Another process may have promised more.
            tx.sql().update("INSERT INTO meta VALUES ('time', ?) ON CONFLICT (key) DO UPDATE SET value ="
                    + " greatest(meta.value::bigint, excluded.value::bigint)::text", String.valueOf(promising));
        }
        channel.send(tx.sql(), tx.publishes(), tx.messages());
    }

    @Override
    public void committed(JdbcTransaction tx) {
        promised = Math.max(promised, promising);
        events.reached(tx.lastEvent());
    }

    @Override
    public void after(JdbcTransaction tx) {
        // Nothing is left to do.
    }

    /** Nobody has promised more than we did: then the time goes on from where it is, and not from a second later. */
    @Override
    public void closing(JdbcTransaction tx) {
        if (promising == 0 || time.millis() >= promised) {
            return;
        }
        try {
            tx.beginGroup(time);
            tx.sql().update("UPDATE meta SET value = ? WHERE key = 'time' AND value = ?", String.valueOf(tx.time()),
                    String.valueOf(promised));
            tx.commit();
        } catch (SQLException | StoreException e) {
            // What was promised is still there.
            LOG.warn("the time could not be saved: {}", e.getMessage());
        }
    }

    @Override
    public void ended() {
        events.ended();
    }
}
