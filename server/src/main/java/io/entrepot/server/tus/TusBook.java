package io.entrepot.server.tus;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What is remembered of uploads beside what the pool knows. Safe for use by many threads. */
public final class TusBook {
    public static final Schema SCHEMA = new Schema("server-tus", TusBook.class, 1);
    private static final int AT_ONCE = 500;

    private final Store store;

    /**
     * @param metadata as it came
     * @param length   if it was told after the upload was begun
     */
    public record Row(TenantId tenant, UploadId upload, String metadata, OptionalLong length, long begun) {}

    public TusBook(Store store) {
        this.store = store;
    }

    void add(TenantId tenant, UploadId upload, String metadata) {
        store.write(Owner.SYSTEM, tx -> tx.update("INSERT INTO server_tus (upload, tenant, metadata, length, begun)"
                + " VALUES (?, ?, ?, NULL, ?)", upload.digits(), tenant.toString(), metadata, tx.now()));
    }

    Optional<Row> find(TenantId tenant, UploadId upload) {
        return store.read(snapshot -> find(snapshot, tenant, upload));
    }

    private static Optional<Row> find(Snapshot snapshot, TenantId tenant, UploadId upload) {
        return snapshot.first("SELECT tenant, upload, metadata, length, begun FROM server_tus WHERE upload = ?"
                + " AND tenant = ?", TusBook::read, upload.digits(), tenant.toString());
    }

    /** Fixes the length, and says which it is: the first that was told stays. Empty if the upload was not begun by tus. */
    OptionalLong tellLength(TenantId tenant, UploadId upload, long length) {
        return store.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE server_tus SET length = ? WHERE upload = ? AND tenant = ? AND length IS NULL", length,
                    upload.digits(), tenant.toString());
            return find(tx, tenant, upload).map(Row::length).orElse(OptionalLong.empty());
        });
    }

    /** Forgets those that the pool has forgotten, some time after they were begun. Says how many. */
    public long forget(Duration age, Predicate<Row> isThere) {
        long forgotten = 0;
        long last = 0;
        String lastUpload = "";
        while (true) {
            long from = last;
            String fromUpload = lastUpload;
            List<Row> rows = store.read(snapshot -> snapshot.query(
                    "SELECT tenant, upload, metadata, length, begun FROM server_tus WHERE begun < ? AND"
                            + " (begun > ? OR (begun = ? AND upload > ?)) ORDER BY begun, upload LIMIT ?",
                    TusBook::read, snapshot.now() - age.toMillis(), from, from, fromUpload, AT_ONCE));
            List<Row> gone = rows.stream().filter(isThere.negate()).toList();
            store.write(Owner.SYSTEM, tx -> {
                gone.forEach(row -> tx.update("DELETE FROM server_tus WHERE upload = ?", row.upload.digits()));
                return true;
            });
            forgotten += gone.size();
            if (rows.size() < AT_ONCE) {
                return forgotten;
            }
            last = rows.getLast().begun;
            lastUpload = rows.getLast().upload.digits();
        }
    }

    private static Row read(ResultSet row) throws SQLException {
        long length = row.getLong(4);
        OptionalLong told = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(length);
        return new Row(new TenantId(row.getString(1)), new UploadId(row.getString(2)), row.getString(3), told,
                row.getLong(5));
    }
}
