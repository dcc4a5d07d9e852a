package io.entrepot.queue.contract;

import io.entrepot.lab.EmptySchemas;
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
import java.util.List;
import java.util.Optional;

/** Queues in a schema of a PostgreSQL of the tests' own. */
public final class PostgresFixture implements QueuesFixture {
    private List<Schema> tables = List.of();
    private String schema = "";
    private Optional<Store> store = Optional.empty();
    private Optional<Queues> queues = Optional.empty();

    public PostgresFixture(Path directory) {
        assert directory != null;
    }

    /** With one writer: the contract's tests know who comes first. */
    private static PostgresConfig config(String schema) {
        return PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "").withSchema(schema)
                .withWriters(1);
    }

    @Override
    public Queues open(StoreConfig storeConfig, QueueConfig config, Witness witness) {
        end();
        if (schema.isEmpty()) {
            begin(storeConfig);
        }
        Store opened = Postgres.open(config(schema), storeConfig);
        store = Optional.of(opened);
        Queues open = Queues.open(Stores.of(opened), storeConfig, config, witness);
        queues = Optional.of(open);
        return open;
    }

    /** Empty tables. */
    private void begin(StoreConfig storeConfig) {
        tables = storeConfig.schemas();
        schema = EmptySchemas.take(tables, made -> Postgres.open(config(made), storeConfig).close());
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
            EmptySchemas.giveBack(tables, schema);
            schema = "";
        }
    }
}
