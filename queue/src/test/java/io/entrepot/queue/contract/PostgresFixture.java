package io.entrepot.queue.contract;

import io.entrepot.lab.PostgresServer;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues in a schema of a PostgreSQL of the tests' own. */
public final class PostgresFixture implements QueuesFixture {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String schema = "queues_" + SCHEMAS.incrementAndGet();
    private Optional<Store> store = Optional.empty();
    private Optional<Queues> queues = Optional.empty();
    private boolean made;

    public PostgresFixture(Path directory) {
        assert directory != null;
    }

    /** With one writer: the contract's tests know who comes first. */
    private PostgresConfig config() {
        return PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "").withSchema(schema)
                .withWriters(1);
    }

    @Override
    public Queues open(StoreConfig storeConfig, QueueConfig config) {
        end();
        if (!made) {
            made = true;
            Postgres.open(config(), storeConfig).close();
            if (storeConfig.wall() instanceof Clocks clocks) {
                goBy(clocks);
            }
        }
        Store opened = Postgres.open(config(), storeConfig);
        store = Optional.of(opened);
        Queues open = Queues.open(Stores.of(opened), storeConfig, config);
        queues = Optional.of(open);
        return open;
    }

    /** From now on the database's clock is this one. */
    private void goBy(Clocks clocks) {
        PostgresServer.shared()
                .run("CREATE TABLE " + schema + ".contract_clock AS SELECT " + clocks.millis() + "::bigint AS now");
        PostgresServer.shared()
                .run("CREATE OR REPLACE FUNCTION " + schema + ".entrepot_now() RETURNS bigint LANGUAGE sql AS"
                        + " 'SELECT now FROM " + schema + ".contract_clock'");
        clocks.follow(
                () -> PostgresServer.shared().run("UPDATE " + schema + ".contract_clock SET now = " + clocks.millis()));
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
        if (made) {
            made = false;
            PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
        }
    }
}
