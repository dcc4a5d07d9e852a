package io.entrepot.bench.queue.peers;

import io.entrepot.bench.queue.PairLoad;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A table used as a queue, in the way every PostgreSQL handbook shows: {@code FOR UPDATE SKIP LOCKED}. */
final class PostgresPeer implements Peer {

    private static final String TABLE = """
                                        CREATE TABLE item (
                                            id bigint PRIMARY KEY,
                                            payload bytea NOT NULL,
                                            holder text,
                                            held_until timestamptz)
                                        """;

    private final DataSource database;
    private final int rows;
    private final int mostItems;

    /** With so many rows per statement. */
    PostgresPeer(DataSource database, int rows, int mostItems) {
        this.database = database;
        this.rows = rows;
        this.mostItems = mostItems;
    }

    @Override
    public String name() {
        return "postgres-" + rows;
    }

    @Override
    public String note() {
        return "a table with SKIP LOCKED, " + (rows == 1 ? "one row" : rows + " rows")
                + " per statement, each statement a commit that is synced; payload yes, history, outcomes, retries and fencing no";
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        PairLoad own = load.atMost(mostItems);
        fill(own.items());
        return Line.measure(own, this::open);
    }

    PostgresLine open() throws SQLException {
        return new PostgresLine(database.getConnection(), rows);
    }

    /** A new table with so many items, known to the planner. */
    void fill(int items) throws SQLException {
        PostgresPeers.execute(database, "DROP TABLE IF EXISTS item", TABLE,
                "CREATE INDEX item_ready ON item (id) WHERE holder IS NULL",
                "INSERT INTO item SELECT id, decode(repeat('00', 60), 'hex') FROM generate_series(1, " + items + ") id",
                "VACUUM ANALYZE item");
    }
}
