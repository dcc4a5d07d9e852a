package io.entrepot.queue.contract;

import io.entrepot.lab.PostgresServer;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.queue.Witness;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues in a schema of a PostgreSQL of the tests' own. */
public final class PostgresFixture implements QueuesFixture {
    private static final AtomicInteger MADE = new AtomicInteger();
    /** Tables that an earlier test has left, by what they are for: to empty them takes less time than to make new ones. */
    private static final Map<List<Schema>, Deque<String>> LEFT = new ConcurrentHashMap<>();

    private List<Schema> tables = List.of();
    private String schema = "";
    private Optional<Store> store = Optional.empty();
    private Optional<Queues> queues = Optional.empty();

    public PostgresFixture(Path directory) {
        assert directory != null;
    }

    /** With one writer: the contract's tests know who comes first. */
    private PostgresConfig config() {
        return PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "").withSchema(schema)
                .withWriters(1);
    }

    @Override
    public Queues open(StoreConfig storeConfig, QueueConfig config, Witness witness) {
        end();
        if (schema.isEmpty()) {
            begin(storeConfig);
        }
        Store opened = Postgres.open(config(), storeConfig);
        store = Optional.of(opened);
        Queues open = Queues.open(Stores.of(opened), storeConfig, config, witness);
        queues = Optional.of(open);
        return open;
    }

    /** Empty tables. */
    private void begin(StoreConfig storeConfig) {
        tables = storeConfig.schemas();
        String left = LEFT.computeIfAbsent(tables, _ -> new ConcurrentLinkedDeque<>()).pollFirst();
        if (left == null) {
            schema = "queues_" + MADE.incrementAndGet();
            Postgres.open(config(), storeConfig).close();
        } else {
            schema = left;
            PostgresServer.shared()
                    .run("DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('%I.%I', schemaname,"
                            + " tablename), ', ') || ' RESTART IDENTITY' FROM pg_tables WHERE schemaname = '" + schema
                            + "' AND tablename <> 'schema_version'); END $$");
        }
        if (storeConfig.wall() instanceof Clocks clocks) {
            goBy(clocks);
        }
    }

    /** From now on the database's clock is this one. The schema has been made before. */
    private void goBy(Clocks clocks) {
        Runnable set = () -> PostgresServer.shared().setTime(schema, clocks.millis());
        set.run();
        clocks.follow(set);
    }

    @Override
    public Store store(Owner owner) {
        return store.orElseThrow();
    }

    private void end() {
        queues.ifPresent(Queues::close);
        store.ifPresent(Store::close);
        queues = Optional.empty();
        store = Optional.empty();
    }

    @Override
    public void close() {
        end();
        if (!schema.isEmpty()) {
            LEFT.computeIfAbsent(tables, _ -> new ConcurrentLinkedDeque<>()).add(schema);
            schema = "";
        }
    }
}
