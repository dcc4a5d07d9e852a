package io.entrepot.queue.contract;

import io.entrepot.store.PostgresConfig;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A PostgreSQL of the tests' own, as durable as any, which ends with the tests. */
public final class PostgresServer {
    private static final String USER = "postgres";

    private PostgresServer() {}

    private static final class Running {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder().setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on").setServerConfig("max_connections", "300").start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void stop(EmbeddedPostgres server) {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** How a schema of its own is reached; {@code name} is what the server calls whoever comes this way. */
    public static PostgresConfig config(String schema, String name) {
        return PostgresConfig.of(Running.SERVER.getJdbcUrl(USER, USER).replaceAll("\\?.*", "")
                + "?ApplicationName=" + name, USER, "").withSchema(schema).withPatience(Duration.ofSeconds(10));
    }

    /** Runs statements beside the store. */
    public static synchronized void run(String sql) {
        try (Statement statement = Beside.CONNECTION.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Beside {
        static final Connection CONNECTION = connect();

        private static Connection connect() {
            PostgresConfig config = config("public", "beside");
            try {
                Connection connection = DriverManager.getConnection(config.url(), config.user(), config.password());
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET synchronous_commit = off");
                }
                return connection;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
