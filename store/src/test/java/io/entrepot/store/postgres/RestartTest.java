package io.entrepot.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.PostgresServer;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that is killed and started again under a store. */
class RestartTest {
    private static final Owner ACME = new Owner("acme");

    @Test
    void store_whenTheDatabaseIsKilledAndStartedAgain_goesOnWithEverythingAcknowledged(@TempDir Path directory)
            throws Exception {
        try (PostgresServer server = PostgresServer.start(directory.resolve("data"), 40)) {
            PostgresConfig where = PostgresConfig.of(server.url("restart"), PostgresServer.USER, "")
                    .withPatience(Duration.ofMinutes(1));
            try (Store store = Postgres.open(where, StoreConfig.of())) {
                store.write(ACME, tx -> tx.update("CREATE TABLE item (id bigint PRIMARY KEY)"));
                AtomicBoolean over = new AtomicBoolean();
                AtomicLong next = new AtomicLong();
                Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
                Crowd<Integer> writers = Crowd.start(8, _ -> {
                    while (!over.get()) {
                        long id = next.incrementAndGet();
                        try {
                            store.write(ACME, tx -> tx.update("INSERT INTO item VALUES (?)", id));
                            acknowledged.add(id);
                        } catch (NotDoneException e) {
                            assertThat(e.code()).isEqualTo("store.io");
                        }
                    }
                    return 0;
                });
                for (int i = 0; i < 2; i++) {
                    awaitMore(acknowledged);
                    server.crash();
                    server.startAgain();
                }
                awaitMore(acknowledged);
                over.set(true);
                writers.results();
                assertThat(store.<Set<Long>>read(snapshot -> Set.copyOf(snapshot.query("SELECT id FROM item",
                        row -> row.getLong(1))))).isEqualTo(acknowledged);
            }
        }
    }

    @Test
    void close_whenTheDatabaseIsAway_doesNotWaitForIt(@TempDir Path directory) throws Exception {
        try (PostgresServer server = PostgresServer.start(directory.resolve("data"), 40)) {
            PostgresConfig where = PostgresConfig.of(server.url("away"), PostgresServer.USER, "")
                    .withPatience(Duration.ofSeconds(70)); // longer than a test may take
            Store store = Postgres.open(where, StoreConfig.of());
            server.crash();
            Crowd<Integer> writing = Crowd.start(1, _ -> store.write(ACME, tx -> tx.update("CREATE TABLE item ()")))
                    .awaitWaiting();
            Crowd<Optional<Integer>> reading = Crowd
                    .start(1, _ -> store.read(snapshot -> snapshot.first("SELECT 1", row -> row.getInt(1))))
                    .awaitWaiting();
            store.close();
            assertThat(reading.outcomes().getFirst().failure()).isInstanceOf(NotDoneException.class);
            assertThat(writing.outcomes().getFirst().failure()).isInstanceOfSatisfying(NotDoneException.class,
                    e -> assertThat(e.code()).isEqualTo("store.io"));
            server.startAgain();
        }
    }

    private static void awaitMore(Set<Long> acknowledged) {
        int before = acknowledged.size();
        await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofMinutes(1))
                .until(() -> acknowledged.size() >= before + 100);
    }
}
