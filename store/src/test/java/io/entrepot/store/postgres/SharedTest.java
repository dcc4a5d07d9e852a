package io.entrepot.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.PostgresServer;
import io.entrepot.lease.ManualTicker;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Verdict;
import io.entrepot.store.Counter;
import io.entrepot.store.Event;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.contract.Gate;
import io.entrepot.store.contract.PostgresFixture;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several stores on one PostgreSQL, as several processes have them, and connections that break. */
class SharedTest {
    private static final Owner ACME = new Owner("acme");
    private static final Counter SEQUENCE = new Counter("sequence", 1);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String schema = "shared_" + SCHEMAS.incrementAndGet();
    private final List<Store> stores = new ArrayList<>();

    private Store open(StoreConfig config) {
        Store store = Postgres.open(PostgresFixture.config(schema, schema), config);
        stores.add(store);
        return store;
    }

    @BeforeEach
    void makeTable() {
        open(StoreConfig.of()).write(ACME, tx -> tx.update("CREATE TABLE item (id bigint PRIMARY KEY, n bigint)"));
    }

    @AfterEach
    void close() {
        stores.forEach(Store::close);
        PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
    }

    private static List<Long> ids(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT id FROM item ORDER BY id", row -> row.getLong(1)));
    }

    @Test
    void open_whenSeveralDoSoAtOnce_makesTheTablesOnce() {
        PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
        stores.removeFirst().close();
        stores.addAll(Crowd.run(4, _ -> Postgres.open(PostgresFixture.config(schema, schema), StoreConfig.of())));
        assertThat(stores).extracting(Store::incarnation).containsOnly(stores.getFirst().incarnation());
    }

    /** As if one after another, whichever process they are in. */
    @Test
    void write_whenSeveralStoresReadAndWriteTheSameRows_losesNothing() {
        List<Store> three = List.of(stores.getFirst(), open(StoreConfig.of()), open(StoreConfig.of()));
        three.getFirst().write(ACME, tx -> tx.update("INSERT INTO item VALUES (0, 0)"));
        Set<Long> numbers = ConcurrentHashMap.newKeySet();
        Crowd.start(12, caller -> {
            Store store = three.get(caller % 3);
            for (int i = 0; i < 25; i++) {
                long number = store.write(ACME, tx -> {
                    long n = tx.first("SELECT n FROM item WHERE id = 0", row -> row.getLong(1)).orElseThrow();
                    tx.update("UPDATE item SET n = ? WHERE id = 0", n + 1);
                    tx.publish(ACME, "counted", String.valueOf(n + 1), "");
                    return tx.next(SEQUENCE, 1);
                });
                assertThat(numbers.add(number)).isTrue();
            }
            return 0;
        }).results();
        for (Store store : three) {
            assertThat(store.<Long>read(snapshot -> snapshot.first("SELECT n FROM item", row -> row.getLong(1))
                    .orElseThrow())).isEqualTo(300);
            assertThat(store.<Long>read(snapshot -> snapshot.count(SEQUENCE))).isEqualTo(300);
            List<Event> events = store.events().after(0, 1000);
            assertThat(events).extracting(Event::seq).containsExactlyElementsOf(
                    LongStream.rangeClosed(1, 300).boxed().toList());
            assertThat(events).extracting(Event::subject).containsExactlyElementsOf(
                    LongStream.rangeClosed(1, 300).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void await_whenAnotherStorePublishes_returnsIt() throws InterruptedException {
        Store other = open(StoreConfig.of());
        Crowd<List<Event>> waiting = new Crowd<>();
        waiting.start(() -> other.events().await(0, 10, Duration.ofMinutes(1)));
        waiting.awaitWaiting();
        stores.getFirst().write(ACME, tx -> {
            tx.publish(ACME, "made", "x", "");
            return 0;
        });
        assertThat(waiting.results().getFirst()).extracting(Event::type).containsExactly("made");
    }

    /** A term is over for whoever has seen its lease unchanged for all of it, on its own clock. */
    @Test
    void lease_whenItsHolderRenewsAtAnotherStore_isNotOver() {
        ManualTicker ticker = new ManualTicker();
        Store granting = stores.getFirst();
        Store watching = open(StoreConfig.of().withClocks(InstantSource.system(), ticker));
        Duration term = Duration.ofSeconds(10);
        var lease = ((Verdict.Granted) granting.leases().request("x", "a", term, Protection.UNFENCED)).lease();
        for (int i = 0; i < 3; i++) {
            assertThat(watching.leases().request("x", "b", term, Protection.UNFENCED))
                    .isInstanceOf(Verdict.Refused.class);
            ticker.advance(Duration.ofSeconds(9));
            granting.leases().renew("x", lease.fence());
        }
        assertThat(watching.leases().request("x", "b", term, Protection.UNFENCED)).isInstanceOf(Verdict.Refused.class);
        ticker.advance(term);
        assertThat(watching.leases().request("x", "b", term, Protection.UNFENCED)).isInstanceOf(Verdict.Granted.class);
        assertThat(granting.leases().release("x", lease.fence())).isFalse();
    }

    @Test
    void write_whenConnectionsAreCut_isDoneOrNotDoneAsItsCallerIsTold() {
        Store store = stores.getFirst();
        AtomicBoolean done = new AtomicBoolean();
        Crowd<Integer> cutting = Crowd.start(1, _ -> {
            int cuts = 0;
            for (; !done.get(); cuts++) {
                PostgresServer.shared()
                        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
                                + schema + "'");
                LockSupport.parkNanos(30_000_000);
            }
            return cuts;
        });
        Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
        Crowd<Integer> writers = Crowd.start(8, caller -> {
            for (int i = 0; i < 100; i++) {
                long id = caller * 1000L + i;
                try {
                    store.write(ACME, tx -> tx.update("INSERT INTO item VALUES (?, 0)", id));
                    acknowledged.add(id);
                } catch (NotDoneException e) {
                    assertThat(e.code()).isEqualTo("store.io");
                }
            }
            return 0;
        });
        writers.outcomes();
        done.set(true);
        assertThat(cutting.results().getFirst()).isPositive();
        writers.results();
        assertThat(acknowledged).isNotEmpty();
        assertThat(ids(open(StoreConfig.of()))).containsExactlyElementsOf(acknowledged.stream().sorted().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void write_whenItMeetsWithAConflict_isTriedAgain(String state) {
        Store store = stores.getFirst();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger effects = new AtomicInteger();
        assertThat(store.<Integer>write(ACME, tx -> {
            tx.update("INSERT INTO item VALUES (?, 0)", runs.incrementAndGet());
            tx.afterCommit(effects::incrementAndGet);
            if (runs.get() < 3) {
                tx.update("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '" + state + "'; END $$");
            }
            return runs.get();
        })).isEqualTo(3);
        assertThat(ids(store)).containsExactly(3L);
        assertThat(effects).hasValue(1);
    }

    @Test
    void write_whenItMeetsWithConflictsOverAndOver_isNotDone() {
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> stores.getFirst().write(ACME,
                tx -> tx.update("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$")));
        assertThat(ids(stores.getFirst())).isEmpty();
    }

    @Test
    void write_whenItIsCancelledWhileItWaitsForItsTurn_isNotDoneAndTheNextIs() {
        Store other = open(StoreConfig.of());
        try (Gate gate = Gate.shut(stores.getFirst(), _ -> {})) {
            Crowd<Integer> cancelled = Crowd.start(1,
                    _ -> other.write(ACME, tx -> tx.update("INSERT INTO item VALUES (1, 0)")));
            await().untilAsserted(() -> PostgresServer.shared()
                    .run("DO $$ BEGIN ASSERT (SELECT bool_and(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE"
                            + " application_name = '" + schema + "' AND wait_event = 'advisory'); END $$"));
            assertThat(cancelled.outcomes().getFirst().failure()).isInstanceOfSatisfying(NotDoneException.class,
                    e -> assertThat(e.code()).isEqualTo("store.io"));
            gate.open();
            other.write(ACME, tx -> tx.update("INSERT INTO item VALUES (2, 0)"));
        }
        assertThat(ids(other)).containsExactly(2L);
    }

    @Test
    void stores_whenTheSchemaHasTheLongestName_hearOfEachOther() throws InterruptedException {
        String longest = schema + "_".repeat(54 - schema.length());
        PostgresConfig where = PostgresFixture.config(longest, longest);
        try (Store one = Postgres.open(where, StoreConfig.of()); Store other = Postgres.open(where, StoreConfig.of())) {
            Queue<String> heard = new ConcurrentLinkedQueue<>();
            other.listen(heard::add);
            await().untilAsserted(() -> {
                // Until the other one listens.
                one.write(ACME, tx -> {
                    tx.tell("hello");
                    return 0;
                });
                assertThat(heard).contains("hello");
            });
            one.write(ACME, tx -> {
                tx.publish(ACME, "made", "x", "");
                return tx.next(SEQUENCE, 1);
            });
            assertThat(other.events().await(0, 10, Duration.ofMinutes(1))).extracting(Event::type)
                    .containsExactly("made");
            assertThat(other.<Long>write(ACME, tx -> tx.next(SEQUENCE, 1))).isEqualTo(2);
        } finally {
            PostgresServer.shared().run("DROP SCHEMA " + longest + " CASCADE");
        }
    }

    @Test
    void open_whenTheDatabaseCannotBeReached_saysSo() {
        PostgresConfig nowhere = PostgresConfig.of("jdbc:postgresql://127.0.0.1:1/x", "me", "secret")
                .withPatience(Duration.ofMillis(300));
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> Postgres.open(nowhere, StoreConfig.of()))
                .withMessageContaining("cannot be reached").withMessageNotContaining("secret");
    }
}
