package io.entrepot.bench.queue.peers;

import io.entrepot.bench.queue.OurQueue;
import io.entrepot.bench.queue.PairLoad;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Our own queue with its tables in a PostgreSQL. */
final class OnPostgres implements Peer {
    private static final String SCHEMA = "entrepot";

    private final String name;
    private final boolean oldSnapshot;
    private final DataSource database;
    private final PostgresConfig config;
    private final int mostItems;

    OnPostgres(DataSource database, PostgresConfig config, int mostItems) {
        this(Peers.ON_POSTGRES, false, database, config, mostItems);
    }

    private OnPostgres(String name, boolean oldSnapshot, DataSource database, PostgresConfig config, int mostItems) {
        this.name = name;
        this.oldSnapshot = oldSnapshot;
        this.database = database;
        this.config = config.withSchema(SCHEMA);
        this.mostItems = mostItems;
    }

    @Override
    public String name() {
        return name;
    }

    /** The same, while somebody reads in one long transaction: nothing that is deleted meanwhile can be vacuumed. */
    OnPostgres withAnOldSnapshot() {
        return new OnPostgres(Peers.WITH_AN_OLD_SNAPSHOT, true, database, config, mostItems);
    }

    @Override
    public String note() {
        return "ours with its tables in that PostgreSQL, one process; everything that the embedded one does"
                + (oldSnapshot ? "; somebody reads in one transaction all the time" : "");
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        PairLoad own = load.atMost(mostItems);
        PostgresPeers.execute(database, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        try (Store store = Postgres.open(config, OurQueue.CONFIG); OurQueue queue = new OurQueue(Stores.of(store))) {
            queue.fill(own.tenants(), own.items());
            analyse();
            return oldSnapshot ? besideAReader(own, queue) : own.run(queue);
        }
    }

    private double besideAReader(PairLoad load, OurQueue queue) throws Exception {
        try (Connection reader = database.getConnection(); Statement statement = reader.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
            statement.execute("SELECT count(*) FROM " + SCHEMA + ".item");
            return load.run(queue);
        }
    }

    /** As the peers do with their tables: the planner knows how many rows there are. */
    private void analyse() throws SQLException {
        PostgresPeers.execute(database, "VACUUM ANALYZE " + SCHEMA + ".item", "VACUUM ANALYZE " + SCHEMA + ".ready");
    }
}
