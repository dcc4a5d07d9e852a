package io.entrepot.pool.contract;

import io.entrepot.lab.EmptySchemas;
import io.entrepot.lab.PostgresServer;
import io.entrepot.pool.Database;
import io.entrepot.pool.Pool;
import io.entrepot.queue.Queues;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.StoreConfig;

/** A kind of database that the pool is tested on. */
public enum PoolFixture {
    SQLITE {
        @Override
        Database database(Clocks clocks) {
            return new Database.Embedded();
        }

        @Override
        void giveBack(Database database) {
            // It goes with its directory.
        }
    },
    POSTGRES {
        @Override
        Database database(Clocks clocks) {
            // Its time never goes back, so the tables are made first, and then its clock is set.
            String schema = EmptySchemas.take(this, made -> Postgres.open(in(made), StoreConfig.of(Queues.SCHEMA,
                    Pool.SCHEMA)).close());
            Runnable set = () -> PostgresServer.shared().setTime(schema, clocks.millis());
            set.run();
            clocks.follow(set);
            return new Database.OnPostgres(in(schema));
        }

        private PostgresConfig in(String schema) {
            return PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "").withSchema(schema)
                    .withWriters(1);
        }

        @Override
        void giveBack(Database database) {
            EmptySchemas.giveBack(this, ((Database.OnPostgres) database).where().schema());
        }
    };

    /** An empty one. */
    abstract Database database(Clocks clocks);

    /** Nobody has it open any longer. */
    abstract void giveBack(Database database);
}
