package io.entrepot.store.internal.postgres;

import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcTransaction;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the committing thread sees to besides committing: that the time is known to whoever opens the store next, that other
 * processes hear of what they are told, and that counters are added up. Belongs to the committing thread.
 */
final class PostgresHousekeeping implements Committer.BetweenGroups {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHousekeeping.class);
    private static final long AHEAD_MILLIS = 1000;
    private static final long FATE_MILLIS = 600_000;

    private final JdbcEvents events;
    private final Channel channel;
    private final Optional<Tally> tally;
    private final InstantSource time;
    private final Lock order;
    private final Runnable whenEnded;
    private boolean healthy = true;
    private long promised;
    private long promising;

    /**
     * {@code tally} if nobody else writes during its groups; {@code promised} is the time found in the database;
     * {@code order} is held from a commit until its effects have run.
     */
    PostgresHousekeeping(JdbcEvents events, Channel channel, Optional<Tally> tally, InstantSource time, long promised,
            Lock order, Runnable whenEnded) {
        this.events = events;
        this.channel = channel;
        this.tally = tally;
        this.time = time;
        this.promised = promised;
        this.order = order;
        this.whenEnded = whenEnded;
    }

    @Override
    public void before() {
        healthy = false; // until a group has been committed
    }

    @Override
    public void within(JdbcTransaction tx) throws SQLException {
        if (tx.time() > promised) {
            promising = tx.time() + AHEAD_MILLIS;
            // Another process may have promised more.
            tx.sql().update("INSERT INTO meta VALUES ('time', ?) ON CONFLICT (key) DO UPDATE SET value ="
                    + " greatest(meta.value::bigint, excluded.value::bigint)::text", String.valueOf(promising));
        }
        if (isTallyDue()) {
            tally.orElseThrow().addUp(tx.sql());
            forgetFates(tx);
        }
        channel.send(tx.sql(), tx.publishes(), tx.messages());
    }

    @Override
    public void committing() {
        order.lock();
    }

    @Override
    public void settled() {
        order.unlock();
    }

    @Override
    public void committed(JdbcTransaction tx) {
        healthy = true;
        promised = Math.max(promised, promising);
        events.reached(tx.lastEvent());
    }

    /** Nobody asks for them any more. */
    private static void forgetFates(JdbcTransaction tx) throws SQLException {
        tx.sql().update("DELETE FROM fate WHERE at < ?", tx.time() - FATE_MILLIS);
    }

    private boolean isTallyDue() {
        return tally.filter(Tally::isDue).isPresent();
    }

    @Override
    public void after(JdbcTransaction tx) throws SQLException {
        if (healthy && isTallyDue()) {
            // No group came by.
            inGroup(tx, () -> tally.orElseThrow().addUp(tx.sql()));
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** What can also be done another time. */
    private void inGroup(JdbcTransaction tx, Step step) throws SQLException {
        try {
            tx.beginGroup(time);
            step.run();
            tx.commit();
        } catch (SQLException | StoreException e) {
            LOG.warn("housekeeping is left for another time: {}", e.getMessage());
            tx.rollback();
        }
    }

    /** Nobody has promised more than we did: then the time goes on from where it is, and not from a second later. */
    @Override
    public void closing(JdbcTransaction tx) {
        if (tally.isPresent() && promising > 0 && time.millis() < promised) {
            try {
                inGroup(tx, () -> tx.sql().update("UPDATE meta SET value = ? WHERE key = 'time' AND value = ?",
                        String.valueOf(tx.time()), String.valueOf(promised)));
            } catch (SQLException e) {
                LOG.debug("closing after a transaction that could not be ended", e);
            }
        }
    }

    @Override
    public void ended() {
        events.ended();
        whenEnded.run();
    }
}
