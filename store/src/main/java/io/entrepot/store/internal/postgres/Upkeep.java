package io.entrepot.store.internal.postgres;

import io.entrepot.lease.Ticker;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.Reclaimable;
import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** What is done to the tables now and then, besides what autovacuum does. Thread-safe. */
final class Upkeep {
    private static final Ticker REAL = Ticker.system();

    private final Connections connections;
    private final String schema;

    Upkeep(Connections connections, String schema) {
        this.connections = connections;
        this.schema = schema;
    }

    /** One table after another; others read and write meanwhile. */
    CompactionReport compact() {
        try (Sql sql = new Sql(connections.connect(), connections.dialect())) {
            long before = bytes(sql);
            long longest = 0;
            for (String table : tables(sql)) {
                long began = REAL.nanos();
                sql.exhaust("VACUUM (ANALYZE) " + table);
                longest = Math.max(longest, REAL.nanos() - began);
            }
            return new CompactionReport(before, bytes(sql), Duration.ofNanos(longest));
        } catch (SQLException e) {
            throw connections.dialect().notDone(e);
        }
    }

    /** The file system gets back what is free at the end of a table, and that is known only when all of it was read. */
    Reclaimable reclaimable() {
        try (Sql sql = new Sql(connections.connect(), connections.dialect())) {
            return new Reclaimable(bytes(sql), OptionalLong.empty());
        } catch (SQLException e) {
            throw connections.dialect().notDone(e);
        }
    }

    private List<String> tables(Sql sql) throws SQLException {
        return sql.query("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = ?",
                row -> row.getString(1), schema);
    }

    private long bytes(Sql sql) throws SQLException {
        return sql.query(
                "SELECT coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0)"
                        + " FROM pg_tables WHERE schemaname = ?",
                row -> row.getLong(1), schema).getFirst();
    }
}
