package io.entrepot.bench.queue.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.entrepot.lab.PostgresServer;
import io.entrepot.store.PostgresConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** PostgreSQL with its defaults, except for more connections; what it has committed is on disk. */
final class PostgresPeers implements PeerServer {

    static final List<String> PEERS = List.of(Peers.ON_POSTGRES, Peers.WITH_AN_OLD_SNAPSHOT, "postgres-1",
            "postgres-100", DbSchedulerPeer.NAME,
            JobRunrPeer.NAME);

    private static final int CONNECTIONS = 150;
    private static final int SPARE_CONNECTIONS = 6;

    private final PostgresServer postgres;
    private final int mostItems;

    private PostgresPeers(PostgresServer postgres, int mostItems) {
        this.postgres = postgres;
        this.mostItems = mostItems;
    }

    /**
     * Starts it with its data in the directory; its program is unpacked into the cache if it is not there yet.
     *
     * @param mostItems how many items its peers take, and ten times as many the one that takes them by the hundred: with
     *            more, rows that are gone and not yet vacuumed slow the table down
     */
    static PostgresPeers start(Path directory, Path cache, int mostItems) throws IOException {
        return new PostgresPeers(
                PostgresServer.start(directory.resolve("postgres"), cache.resolve("postgres"), CONNECTIONS), mostItems);
    }

    /** Opens a new connection each time it is asked. */
    DataSource database() {
        return postgres.database();
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
        PostgresConfig config = PostgresConfig.of(postgres.url("bench"), PostgresServer.USER, "");
        OnPostgres ours = new OnPostgres(database(), config, 10 * mostItems);
        return List.of(ours, ours.withAnOldSnapshot(), new PostgresPeer(database(), 1, mostItems),
                new PostgresPeer(database(), 100, 10 * mostItems), new DbSchedulerPeer(database(), mostItems),
                new JobRunrPeer(database(), mostItems));
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
