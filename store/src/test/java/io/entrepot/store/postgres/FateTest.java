package io.entrepot.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.PostgresServer;
import io.entrepot.store.Faults;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers are told when the connection is lost in the commit: what the database has done, and not what it seems. */
class FateTest {
    private static final Owner ACME = new Owner("acme");
    private static final String NAME = "fate";

    @TempDir
    private Path directory;

    private PostgresServer server;
    private Store store;
    private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>(() -> {});

    @BeforeEach
    void open() throws IOException {
        server = PostgresServer.start(directory.resolve("data"), 40);
        PostgresConfig where = PostgresConfig.of(server.url(NAME), PostgresServer.USER, "")
                .withPatience(Duration.ofMinutes(1));
        store = Postgres.open(where, StoreConfig.of().withFaults(point -> {
            if (point == Faults.Point.COMMIT) {
                beforeCommit.getAndSet(() -> {}).run();
            }
        }));
        store.write(ACME, tx -> tx.update("CREATE TABLE item (id bigint PRIMARY KEY)"));
        put(0);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        server.close();
    }

    private void put(long id) {
        store.write(ACME, tx -> tx.update("INSERT INTO item VALUES (?)", id));
    }

    private Set<Long> ids() {
        return store.read(snapshot -> new TreeSet<>(snapshot.query("SELECT id FROM item", row -> row.getLong(1))));
    }

    private String first(String sql) {
        try (Connection connection = server.database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A number is given again if nothing that was done under it had reached the disk. */
    @Test
    void write_whenItsNumberWasGivenToAnotherAfterACrash_isNotDone() {
        server.run("ALTER SYSTEM SET wal_writer_delay = '10s'");
        server.run("SELECT pg_reload_conf()");
        AtomicReference<String> number = new AtomicReference<>("");
        beforeCommit.set(() -> {
            crash();
            for (int i = 0; i < 20; i++) {
                server.run("CREATE TABLE other_" + i + " ()");
            }
            assertThat(first("SELECT pg_xact_status('" + number.get() + "'::xid8)")).isEqualTo("committed");
        });
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> store.write(ACME, tx -> {
            number.set(tx.first("SELECT pg_current_xact_id()::text", row -> row.getString(1)).orElseThrow());
            return tx.update("INSERT INTO item VALUES (1)");
        })).satisfies(e -> assertThat(e.code()).isEqualTo("store.io"));
        put(2);
        assertThat(ids()).containsExactly(0L, 2L);
    }

    private void crash() {
        try {
            server.crash();
            server.startAgain();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until a standby that there is not has got it, the database does not say that it has committed; but it has. */
    @Test
    void write_whenTheAnswerToItsCommitIsLost_isDone() {
        server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
        server.run("SELECT pg_reload_conf()");
        AtomicBoolean cut = new AtomicBoolean();
        Crowd<List<Long>> writing = Crowd.start(1, _ -> {
            List<Long> done = new ArrayList<>();
            for (long id = 1; !cut.get(); id++) {
                put(id);
                done.add(id);
            }
            return done;
        });
        await().until(() -> !first("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                + " AND application_name = '" + NAME + "'").isEmpty());
        cut.set(true);
        server.run("ALTER SYSTEM RESET synchronous_standby_names");
        server.run("SELECT pg_reload_conf()");
        assertThat(ids()).containsAll(writing.results().getFirst()).hasSize(writing.results().getFirst().size() + 1);
        put(-1);
        assertThat(ids()).contains(-1L);
    }
}
