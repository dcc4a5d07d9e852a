package io.entrepot.bench.queue.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** PostgreSQL with its defaults, except for more connections; what it has committed is on disk. */
final class PostgresServer implements PeerServer {

    static final List<String> PEERS = List.of("postgres-1", "postgres-100", DbSchedulerPeer.NAME,
            JobRunrPeer.NAME);

    /** Those that decide whether a commit is on disk. The embedded server switches some of them off unless told. */
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final String CONNECTIONS = "150";
    private static final int SPARE_CONNECTIONS = 6;

    private final EmbeddedPostgres postgres;
    private final int mostItems;

    private PostgresServer(EmbeddedPostgres postgres, int mostItems) {
        this.postgres = postgres;
        this.mostItems = mostItems;
    }

    /**
     * Starts it with its data in the directory; its program is unpacked into the cache if it is not there yet.
     *
     * @param mostItems how many items its peers take, and ten times as many the one that takes them by the hundred: with
     *            more, rows that are gone and not yet vacuumed slow the table down
     */
    static PostgresServer start(Path directory, Path cache, int mostItems) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setDataDirectory(directory.resolve("postgres"))
                .setOverrideWorkingDirectory(cache.resolve("postgres").toFile())
                .setServerConfig("max_connections", CONNECTIONS);
        DURABLE.forEach(setting -> builder.setServerConfig(setting, "on"));
        PostgresServer server = new PostgresServer(started(builder), mostItems);
        try {
            server.checkDurable();
            return server;
        } catch (SQLException e) {
            server.close();
            throw new IOException("PostgreSQL does not answer", e);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static EmbeddedPostgres started(EmbeddedPostgres.Builder builder) throws IOException {
        try {
            return builder.start();
        } catch (IllegalStateException e) {
            throw new IOException("PostgreSQL does not start: " + e.getMessage(), e);
        }
    }

    private void checkDurable() throws SQLException, IOException {
        try (Connection connection = database().getConnection(); Statement statement = connection.createStatement()) {
            for (String setting : DURABLE) {
                try (ResultSet shown = statement.executeQuery("SHOW " + setting)) {
                    shown.next();
                    if (!shown.getString(1).equals("on")) {
                        throw new IOException("PostgreSQL runs with " + setting + " = " + shown.getString(1));
                    }
                }
            }
        }
    }

    /** Opens a new connection each time it is asked. */
    DataSource database() {
        return postgres.getPostgresDatabase();
    }

    /** Keeps a connection for each worker, and some for what a framework does beside. */
    static HikariDataSource pool(DataSource database, int workers) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(workers + SPARE_CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** Runs statements one after the other, each a transaction of its own. */
    static void execute(DataSource database, String... statements) throws SQLException {
        try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public List<Peer> peers() {
        return List.of(new PostgresPeer(database(), 1, mostItems),
                new PostgresPeer(database(), 100, 10 * mostItems), new DbSchedulerPeer(database(), mostItems),
                new JobRunrPeer(database(), mostItems));
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
