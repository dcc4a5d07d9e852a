package io.entrepot.lab;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of our own, from Maven Central. What it has committed is on disk. Safe for use by many threads. */
public final class PostgresServer implements AutoCloseable {
    public static final String USER = "postgres";

    /** Those that decide whether a commit is on disk. The embedded server switches some of them off unless told. */
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    private final EmbeddedPostgres postgres;
    private @Nullable Connection kept;

    private PostgresServer(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /** One for all who ask in this process; it ends with the process. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    private static final class Shared {
        private static final int CONNECTIONS = 300;
        static final PostgresServer SERVER = make();

        private static PostgresServer make() {
            try {
                PostgresServer server = start(EmbeddedPostgres.builder(), CONNECTIONS);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void stop(PostgresServer server) {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Starts one with its data in a directory; its program is unpacked into the cache if it is not there yet. */
    public static PostgresServer start(Path data, Path cache, int connections) throws IOException {
        return start(EmbeddedPostgres.builder().setDataDirectory(data).setOverrideWorkingDirectory(cache.toFile()),
                connections);
    }

    private static PostgresServer start(EmbeddedPostgres.Builder builder, int connections) throws IOException {
        builder.setServerConfig("max_connections", String.valueOf(connections));
        DURABLE.forEach(setting -> builder.setServerConfig(setting, "on"));
        PostgresServer server = new PostgresServer(started(builder));
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
    public DataSource database() {
        return postgres.getPostgresDatabase();
    }

    /** Where {@link #USER} comes in without a password; {@code name} is what the server calls whoever comes this way. */
    public String url(String name) {
        return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?ApplicationName=" + name;
    }

    /** Runs statements, always on the same connection and without waiting for the disk. */
    public synchronized void run(String sql) {
        try {
            Connection connection = kept;
            if (connection == null) {
                connection = database().getConnection();
                kept = connection;
                run(connection, "SET synchronous_commit = off");
            }
            run(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
