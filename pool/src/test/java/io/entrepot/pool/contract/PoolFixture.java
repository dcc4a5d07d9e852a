package io.entrepot.pool.contract;

import io.entrepot.lab.PostgresServer;
import io.entrepot.pool.Database;
import io.entrepot.pool.Pool;
import io.entrepot.queue.Queues;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.StoreConfig;
import java.util.concurrent.atomic.AtomicInteger;

/** A kind of database that the pool is tested on. */
public enum PoolFixture {
    SQLITE {
        @Override
        Database database(Clocks clocks) {
            return new Database.Embedded();
        }
    },
    POSTGRES {
        @Override
        Database database(Clocks clocks) {
            String schema = "pool_" + MADE.incrementAndGet();
            PostgresConfig where = PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "")
                    .withSchema(schema).withWriters(1);
            // Its time never goes back, so the tables are made first, and then its clock is set.
            Postgres.open(where, StoreConfig.of(Queues.SCHEMA, Pool.SCHEMA)).close();
            Runnable set = () -> PostgresServer.shared().setTime(schema, clocks.millis());
            set.run();
            clocks.follow(set);
            return new Database.OnPostgres(where);
        }
    };

    private static final AtomicInteger MADE = new AtomicInteger();

    abstract Database database(Clocks clocks);
}
