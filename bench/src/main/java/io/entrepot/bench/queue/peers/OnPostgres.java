package io.entrepot.bench.queue.peers;

import io.entrepot.bench.queue.OurQueue;
import io.entrepot.bench.queue.PairLoad;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Our own queue with its tables in a PostgreSQL. */
final class OnPostgres implements Peer {
    private static final String SCHEMA = "entrepot";

    private final DataSource database;
    private final PostgresConfig config;
    private final int mostItems;

    OnPostgres(DataSource database, PostgresConfig config, int mostItems) {
        this.database = database;
        this.config = config.withSchema(SCHEMA);
        this.mostItems = mostItems;
    }

    @Override
    public String name() {
        return Peers.ON_POSTGRES;
    }

    @Override
    public String note() {
        return "ours with its tables in that PostgreSQL, one process; everything that the embedded one does";
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        PairLoad own = load.atMost(mostItems);
        PostgresPeers.execute(database, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        try (Store store = Postgres.open(config, OurQueue.CONFIG); OurQueue queue = new OurQueue(Stores.of(store))) {
            queue.fill(own.tenants(), own.items());
            analyse();
            return own.run(queue);
        }
    }

    /** As the peers do with their tables: the planner knows how many rows there are. */
    private void analyse() throws SQLException {
        PostgresPeers.execute(database, "VACUUM ANALYZE " + SCHEMA + ".item", "VACUUM ANALYZE " + SCHEMA + ".ready");
    }
}
