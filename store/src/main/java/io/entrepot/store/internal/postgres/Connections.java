package io.entrepot.store.internal.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.entrepot.lease.Ticker;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.internal.jdbc.Dialect;
import io.entrepot.store.internal.jdbc.JdbcSnapshot;
import io.entrepot.store.internal.jdbc.Readers;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** Connections to the database: a pool for those who read, and single ones that are kept. Thread-safe. */
final class Connections implements Readers.Source {
    /**
     * Groups wait for each other as long as it takes; but a process that stands still in the middle of one must not stop all
     * others for longer than this. And what units of
     * work look for they find by keys, a few rows at a time; a plan made while a table was small must not read all of it
     * later, and is the same for every run.
     */
    private static final String WRITER = "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = '30s'; SET enable_seqscan = off;"
            + " SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;"
            + " SET plan_cache_mode = force_generic_plan";

    private static final Ticker REAL = Ticker.system();
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Who waits for a database that is away looks so often whether that is still worth it. */
    private static final Duration WAITS = Duration.ofSeconds(1);

    private final PostgresConfig where;
    private final Dialect dialect;
    private final HikariDataSource pool;
    private long writersMade;
    private volatile boolean ending;

    Connections(PostgresConfig where, int readers) {
        this.where = where;
        this.dialect = new PostgresDialect(where.url());
        HikariConfig config = new HikariConfig();
        config.setPoolName("entrepot");
        config.setJdbcUrl(where.url());
        config.setDataSourceProperties(properties());
        config.setMaximumPoolSize(readers);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.clamp(where.patience().toMillis(), 250, WAITS.toMillis()));
        config.setInitializationFailTimeout(-1); // the writing connection has said already whether it works
        this.pool = new HikariDataSource(config);
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user", where.user());
        properties.setProperty("password", where.password());
        properties.setProperty("currentSchema", where.schema());
        properties.setProperty("ApplicationName", "entrepot");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("loginTimeout", Long.toString(Math.max(1, where.patience().toSeconds()))); // else the pool's
        return properties;
    }

    Dialect dialect() {
        return dialect;
    }

    /** One that is not of the pool; whoever asked for it closes it. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(where.url(), properties());
    }

    /** One for the committing thread. */
    Sql writer() throws SQLException {
        Sql sql = new Sql(connect(), dialect);
        try {
            sql.exhaust(WRITER);
            madeWriter();
            return sql;
        } catch (SQLException e) {
            sql.close();
            throw e;
        }
    }

    private synchronized void madeWriter() {
        writersMade++;
        notifyAll();
    }

    /** Between two tries to reach the database: waits until somebody else has reached it, but not for long. */
    synchronized void pause() {
        long before = writersMade;
        long deadline = REAL.nanos() + PAUSE.toNanos();
        try {
            for (long left = PAUSE.toNanos(); left > 0 && writersMade == before; left = deadline - REAL.nanos()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the committing thread", e);
        }
    }

    @Override
    public JdbcSnapshot begin() {
        try {
            Sql sql = new Sql(reader(), dialect);
            try {
                sql.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                return new JdbcSnapshot(sql);
            } catch (SQLException e) {
                sql.close();
                throw e;
            }
        } catch (SQLException e) {
            throw dialect.notDone(e);
        }
    }

    private Connection reader() throws SQLException {
        long deadline = REAL.nanos() + where.patience().toNanos();
        while (true) {
            try {
                return pool.getConnection();
            } catch (SQLTransientConnectionException e) {
                if (ending || REAL.nanos() - deadline >= 0) {
                    throw e;
                }
            }
        }
    }

    /** From now on nobody who reads waits for a database that is away. */
    void waitNoMore() {
        ending = true;
    }

    @Override
    public void end(JdbcSnapshot snapshot) {
        try (Sql sql = snapshot.sql()) {
            sql.execute("ROLLBACK");
        } catch (SQLException e) {
            // The connection is lost, and the pool will notice.
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
