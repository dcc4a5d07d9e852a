package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A file's row. Where it stands is in the queue, under the key's number; unless it is held. */
record FileRow(long tenant, FileKey key, long directory, long volume, int depth, String extension,
        Optional<String> name, long size, Sha256 sha, long created, OptionalLong modified, int priority, boolean held,
        String labels,
        Optional<String> source, String trail) {
    static final String COLUMNS = "f.tenant, f.id, f.nonce, f.directory, f.volume, f.depth, f.extension, f.name, f.size,"
            + " f.sha, f.created, f.priority, f.held, f.labels, f.source, f.trail, f.modified";
    private static final String INSERT = "INSERT INTO file (tenant, id, nonce, directory, volume, depth, extension, name,"
            + " size, sha, created, priority, held, labels, source, trail";

    static FileRow read(ResultSet row) throws SQLException {
        return new FileRow(row.getLong(1), new FileKey(row.getLong(2), row.getLong(3)), row.getLong(4),
                row.getLong(5), row.getInt(6), row.getString(7), Optional.ofNullable(row.getString(8)),
                row.getLong(9), new Sha256(row.getBytes(10)), row.getLong(11), optional(row, 17), row.getInt(12),
                row.getLong(13) != 0, row.getString(14), Optional.ofNullable(row.getString(15)), row.getString(16));
    }

    static OptionalLong optional(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    static Optional<FileRow> find(Snapshot snapshot, long tenant, FileKey key) {
        return snapshot.first("SELECT " + COLUMNS + " FROM file f WHERE f.tenant = ? AND f.id = ? AND f.nonce = ?",
                FileRow::read, tenant, key.number(), key.nonce());
    }

    /** In no order; those that are there. */
    static List<FileRow> find(Snapshot snapshot, Collection<Which> files) {
        List<@Nullable Object[]> rows = new ArrayList<>(files.size());
        files.forEach(file -> rows.add(new Object[]{file.tenant, file.number}));
        return snapshot.queryEach("WITH e (tenant, id) AS (VALUES $rows) SELECT " + COLUMNS
                + " FROM e JOIN file f ON f.tenant = e.tenant AND f.id = e.id", FileRow::read, rows);
    }

    /** Those of a tenant after that number, in their order. */
    static List<FileRow> page(Snapshot snapshot, long tenant, long after, int most) {
        return snapshot.query(
                "SELECT " + COLUMNS + " FROM file f WHERE f.tenant = ? AND f.id > ? ORDER BY f.id LIMIT ?",
                FileRow::read, tenant, after, most);
    }

    /** Those of all tenants on a volume after that number, in their order. */
    static List<FileRow> onVolume(Snapshot snapshot, long volume, long after, int most) {
        return snapshot.query(
                "SELECT " + COLUMNS + " FROM file f WHERE f.volume = ? AND f.id > ? ORDER BY f.id LIMIT ?",
                FileRow::read, volume, after, most);
    }

    /** A file by its tenant's number and its own. */
    record Which(long tenant, long number) {}

    /** Those whose time of change is not known go by themselves: of a column without any value a database cannot tell the type. */
    static void insert(Transaction tx, List<FileRow> files) {
        List<@Nullable Object[]> rows = new ArrayList<>(files.size());
        List<@Nullable Object[]> modified = new ArrayList<>(files.size());
        for (FileRow file : files) {
            @Nullable
            Object[] row = {file.tenant, file.key.number(), file.key.nonce(), file.directory, file.volume, file.depth,
                    file.extension, file.name.orElse(null), file.size, file.sha.bytes(), file.created, file.priority,
                    file.held ? 1 : 0, file.labels, file.source.orElse(null), file.trail};
            if (file.modified.isEmpty()) {
                rows.add(row);
            } else {
                @Nullable
                Object[] more = Arrays.copyOf(row, row.length + 1);
                more[row.length] = file.modified.getAsLong();
                modified.add(more);
            }
        }
        tx.updateEach(INSERT + ") VALUES $rows", rows);
        tx.updateEach(INSERT + ", modified) VALUES $rows", modified);
    }

    Optional<Instant> modifiedAt() {
        return modified.isPresent() ? Optional.of(Instant.ofEpochMilli(modified.getAsLong())) : Optional.empty();
    }

    Which which() {
        return new Which(tenant, key.number());
    }

    BlobPath path(TenantId owner) {
        return new BlobPath(owner, key, extension, depth);
    }

    FileRow in(long otherDirectory) {
        return new FileRow(tenant, key, otherDirectory, volume, depth, extension, name, size, sha, created, modified,
                priority, held, labels, source, trail);
    }

    /** The same, held under another key. */
    FileRow heldAs(FileKey another) {
        return new FileRow(tenant, another, directory, volume, depth, extension, name, size, sha, created, modified,
                priority, true, labels, source, trail);
    }

    /** One more thing has happened to it. */
    FileRow after(String line) {
        return new FileRow(tenant, key, directory, volume, depth, extension, name, size, sha, created, modified,
                priority, held, labels, source, trail + line);
    }
}
