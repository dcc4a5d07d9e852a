package io.entrepot.store;

import io.entrepot.store.internal.postgres.PostgresStore;

/** The store on PostgreSQL, for when one machine is not enough: any number of processes may have it open at once. */
public final class Postgres {

    private Postgres() {}

    /** Opens the store, and makes its tables if there are none. What the configuration says of files does not apply. */
    public static Store open(PostgresConfig where, StoreConfig config) {
        return PostgresStore.open(where, config);
    }
}
