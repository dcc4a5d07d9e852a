package io.entrepot.pool;

import io.entrepot.store.PostgresConfig;

/** Where the pool keeps its books. */
public sealed interface Database {

    /** In files of the pool's own directory; one process at a time. */
    record Embedded() implements Database {}

    /** In a PostgreSQL, for any number of processes. */
    record OnPostgres(PostgresConfig where) implements Database {}
}
