package io.entrepot.lab;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of our own, from Maven Central. What it has committed is on disk. Safe for use by many threads. */
public final class PostgresServer implements AutoCloseable {
    public static final String USER = "postgres";

    /** Those that decide whether a commit is on disk. The embedded server switches some of them off unless told. */
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    private static final String PID_FILE = "postmaster.pid";
    private static final int DEPTH = 4;

    private final EmbeddedPostgres postgres;
    private final Path data;
    private Optional<Path> program = Optional.empty();
    private @Nullable Connection kept;

    private PostgresServer(EmbeddedPostgres postgres, Path data) {
        this.postgres = postgres;
        this.data = data;
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
                Path data = LabDirectory.create(DiskOptions.memory()).path().resolve("postgres");
                PostgresServer server = start(data, CONNECTIONS);
                AtExit.register(server::close);
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Starts one with its data in a directory; its program is where that of the {@link #shared} one is. */
    public static PostgresServer start(Path data, int connections) throws IOException {
        return start(EmbeddedPostgres.builder().setDataDirectory(data), data, connections);
    }

    /** Starts one with its data in a directory; its program is unpacked into the cache if it is not there yet. */
    public static PostgresServer start(Path data, Path cache, int connections) throws IOException {
        return start(EmbeddedPostgres.builder().setDataDirectory(data).setOverrideWorkingDirectory(cache.toFile()),
                data, connections);
    }

    private static PostgresServer start(EmbeddedPostgres.Builder builder, Path data, int connections)
            throws IOException {
        builder.setServerConfig("max_connections", String.valueOf(connections));
        DURABLE.forEach(setting -> builder.setServerConfig(setting, "on"));
        PostgresServer server = new PostgresServer(started(builder), data);
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

    /** From now on it is this time for a store in the schema, until the next call. */
    public void setTime(String schema, long millis) {
        run("CREATE OR REPLACE FUNCTION " + schema + ".entrepot_now() RETURNS bigint LANGUAGE sql AS 'SELECT " + millis
                + "::bigint'");
    }

    /** The server and everything it has started are killed with -9; {@link #startAgain} takes up what is on the disk. */
    public synchronized void crash() throws IOException {
        closeKept();
        ProcessHandle server = server();
        program = server.info().command().map(Path::of);
        List<ProcessHandle> all = Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().join());
    }

    /** After a {@link #crash}: returns when it answers again. */
    public synchronized void startAgain() throws IOException {
        List<String> words = new ArrayList<>();
        if (Files.getOwner(data).getName().equals("root")) {
            words.addAll(List.of("unshare", "-U")); // it refuses to run as root, and is content with not being it inside
        }
        // A restart begins as the server was begun before, and a server that is gone is no obstacle to it.
        words.addAll(List.of(program.orElseThrow().resolveSibling("pg_ctl").toString(), "restart", "--wait", "--pgdata",
                data.toString(), "--log", data.resolve("restarts.log").toString()));
        Command.check(data, words);
    }

    private ProcessHandle server() throws IOException {
        return server(data.resolve(PID_FILE)).orElseThrow(() -> new IOException("PostgreSQL is not running"));
    }

    private static Optional<ProcessHandle> server(Path pidFile) throws IOException {
        long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
        return ProcessHandle.of(pid).filter(process -> process.info().command().orElse("").endsWith("/postgres"));
    }

    /** Kills the servers whose data is in the directory: those of a process that was killed before it could stop them. */
    static void stopUnder(Path directory) throws IOException {
        List<Path> pidFiles;
        try (Stream<Path> files = Files.find(directory, DEPTH, (file, _) -> file.endsWith(PID_FILE))) {
            pidFiles = files.toList();
        } catch (UncheckedIOException e) {
            return; // what cannot be looked through is none of ours
        }
        for (Path file : pidFiles) {
            server(file).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void closeKept() {
        Connection connection = kept;
        kept = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
