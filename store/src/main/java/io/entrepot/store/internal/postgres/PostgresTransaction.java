package io.entrepot.store.internal.postgres;

import io.entrepot.lease.Nonces;
import io.entrepot.lease.Ticker;
import io.entrepot.store.Counter;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcTransaction;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of a group on PostgreSQL. It begins with a lock that all groups of all processes take: so units run one
 * after another everywhere, and there are no conflicts to be repeated. Groups of {@linkplain
 * io.entrepot.store.Operation#concurrent concurrent} operations share the lock with each other.
 *
 * <p>A connection that is lost before the commit has done nothing, and the next group begins with a new one. If it is lost
 * in the commit, the database is asked afterwards what became of it. Only if it does not say in time is the outcome
 * unknown.
 */
final class PostgresTransaction extends JdbcTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresTransaction.class);
    private static final Ticker REAL = Ticker.system();
    /** Half of the lock's name, "Entr" in ASCII; the other half is the schema's. */
    private static final int LOCK = 0x456e7472;
    private static final String COMMIT = "INSERT INTO fate (token, at) VALUES (?, ?); COMMIT";
    private static final String NEVER_HEARD_OF = "22023";

    private final Connections connections;
    private final DatabaseTime time;
    private final String schema;
    private final String begin;
    private final Duration patience;
    private final Tally tally;
    private final Nonces nonces;
    private final boolean beside;
    private final Map<Counter, Long> counters = new HashMap<>();
    private List<@Nullable Object[]> counts = List.of();
    private boolean prepared;
    private boolean lost;
    private volatile boolean impatient;
    private String id = "";
    private long token;

    /** {@code beside}: whether it runs beside others of its kind. */
    PostgresTransaction(Connections connections, Sql sql, DatabaseTime time, PostgresConfig where, Tally tally,
            Nonces nonces, boolean beside) {
        super(sql);
        this.connections = connections;
        this.time = time;
        this.schema = where.schema();
        this.begin = "BEGIN; SELECT pg_advisory_xact_lock" + (beside ? "_shared(" : "(") + LOCK + ", hashtext('"
                + schema + "'));"
                + " SELECT pg_current_xact_id()::text, ";
        this.patience = where.patience();
        this.tally = tally;
        this.nonces = nonces;
        this.beside = beside;
    }

    /** By any thread: from now on a database that is not there is not waited for to begin something. */
    void hurry() {
        impatient = true;
    }

    /** From now on there is a function that tells the time. */
    void prepared() throws SQLException {
        prepared = true;
        hearTime();
    }

    @Override
    protected void begin() throws SQLException {
        counters.clear();
        counts = List.of();
        token = nonces.next();
        long deadline = REAL.nanos() + patience.toNanos();
        while (true) {
            boolean anew = lost;
            try {
                beginOnce();
                return;
            } catch (SQLException e) {
                lost = true; // or it may stand in a transaction that has failed
                if (!PostgresDialect.isLost(e)) {
                    throw e;
                }
                if (anew) {
                    if (impatient || REAL.nanos() - deadline >= 0) {
                        throw e;
                    }
                    connections.pause();
                }
            }
        }
    }

    private void beginOnce() throws SQLException {
        reconnectIfLost();
        // One round trip; each statement sees what was committed when it began, so the last one comes after the lock.
        id = sql.last(begin + (prepared ? "entrepot_now()" : "0"), row -> {
            if (prepared) {
                time.hear(row.getLong(2));
            }
            return row.getString(1);
        });
    }

    private void hearTime() throws SQLException {
        time.hear(sql.query("SELECT entrepot_now()", row -> row.getLong(1)).getFirst());
    }

    private void reconnectIfLost() throws SQLException {
        if (lost) {
            Sql anew = connections.writer();
            LOG.info("connected to schema {} again", schema);
            try {
                sql.close();
            } catch (SQLException e) {
                LOG.debug("closing a lost connection", e);
            }
            sql = anew;
            lost = false;
        }
    }

    @Override
    protected void end() throws SQLException {
        try {
            if (!prepared) {
                super.end();
            } else if (counts.isEmpty()) {
                sql.update(COMMIT, token, time());
            } else {
                tally.add(sql, counts, COMMIT, token, time());
            }
        } catch (SQLException e) {
            if (!PostgresDialect.isLost(e)) {
                // The database has answered, and its answer is no.
                String refused = "the database has refused the commit: " + e.getMessage();
                throw PostgresDialect.isFull(e)
                        ? NotDoneException.diskFull(refused, e)
                        : NotDoneException.io(refused, e);
            }
            lost = true;
            if (!wasCommitted(e)) {
                throw NotDoneException.io("the connection was lost in the commit, and the database has not done it", e);
            }
        }
    }

    /** What became of the group, if the database says so in time. */
    private boolean wasCommitted(SQLException commit) throws SQLException {
        long deadline = REAL.nanos() + patience.toNanos();
        while (REAL.nanos() - deadline < 0) {
            try {
                reconnectIfLost();
                if (!isUnderWay()) {
                    return hasFate();
                }
                LOG.debug("the commit is still under way");
            } catch (SQLException e) {
                lost = true;
                LOG.debug("asking what became of a commit", e);
            }
            connections.pause();
        }
        throw commit;
    }

    private boolean isUnderWay() throws SQLException {
        try {
            return sql.query("SELECT pg_xact_status(?::xid8)", row -> "in progress".equals(row.getString(1)), id)
                    .getFirst();
        } catch (SQLException e) {
            if (NEVER_HEARD_OF.equals(e.getSQLState())) {
                return false; // the database has crashed since, and was never told
            }
            throw e;
        }
    }

    private boolean hasFate() throws SQLException {
        return !sql.query("SELECT 1 FROM fate WHERE token = ?", row -> row.getInt(1), token).isEmpty();
    }

    @Override
    protected long committed(Counter counter) {
        return counters.computeIfAbsent(counter, this::stored);
    }

    @Override
    protected long eventsBefore() throws SQLException {
        return JdbcEvents.last(sql);
    }

    @Override
    protected void writeCounters(List<@Nullable Object[]> rows) {
        counts = rows;
    }

    @Override
    public long next(Counter sequence, int n) {
        if (beside) {
            throw new IllegalStateException("an operation that runs beside others cannot take numbers in order");
        }
        return super.next(sequence, n);
    }

    @Override
    public void publish(Owner owner, String type, String subject, String body) {
        if (beside) {
            throw new IllegalStateException("an operation that runs beside others cannot publish in order");
        }
        super.publish(owner, type, subject, body);
    }

    @Override
    protected void counted(Map<Counter, Long> deltas) {
        counters.clear();
    }
}
