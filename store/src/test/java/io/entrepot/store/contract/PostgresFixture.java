package io.entrepot.store.contract;

import io.entrepot.lab.PostgresServer;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema in a PostgreSQL of the tests' own. A crash cuts all connections of the store that was open. */
public final class PostgresFixture implements StoreFixture {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String schema = "contract_" + SCHEMAS.incrementAndGet();
    private final List<Store> opened = new ArrayList<>();
    private int lives = 1;

    public PostgresFixture(Path directory) {
        assert directory != null;
    }

    /** How a schema is reached; {@code name} is what the server calls whoever comes this way. */
    public static PostgresConfig config(String schema, String name) {
        return PostgresConfig.of(PostgresServer.shared().url(name), PostgresServer.USER, "").withSchema(schema)
                .withPatience(Duration.ofSeconds(10));
    }

    @Override
    public Store open(StoreConfig config) {
        if (config.wall() instanceof Clocks clocks) {
            goBy(clocks);
        }
        Store store = Postgres.open(config(schema, schema + "_life_" + lives), config);
        opened.add(store);
        return store;
    }

    /** From now on the database's clock is this one. The schema has been made before. */
    private void goBy(Clocks clocks) {
        Runnable set = () -> PostgresServer.shared().setTime(schema, clocks.millis());
        set.run();
        clocks.follow(set);
    }

    @Override
    public void crash() {
        PostgresServer.shared()
                .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + schema
                        + "_life_" + lives + "'");
        lives++;
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
        PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
    }
}
