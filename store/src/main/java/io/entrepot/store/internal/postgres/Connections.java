package io.entrepot.store.internal.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.internal.jdbc.Dialect;
import io.entrepot.store.internal.jdbc.JdbcSnapshot;
import io.entrepot.store.internal.jdbc.Readers;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

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

    private final PostgresConfig where;
    private final Dialect dialect;
    private final HikariDataSource pool;

    Connections(PostgresConfig where, int readers) {
        this.where = where;
        this.dialect = new PostgresDialect(where.url());
        HikariConfig config = new HikariConfig();
        config.setPoolName("entrepot");
        config.setJdbcUrl(where.url());
        config.setDataSourceProperties(properties());
        config.setMaximumPoolSize(readers);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.max(250, where.patience().toMillis()));
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
            return sql;
        } catch (SQLException e) {
            sql.close();
            throw e;
        }
    }

    @Override
    public JdbcSnapshot begin() {
        try {
            Sql sql = new Sql(pool.getConnection(), dialect);
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
