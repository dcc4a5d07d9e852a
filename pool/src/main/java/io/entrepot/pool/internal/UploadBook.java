package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * What the books say of uploads. An upload that is open counts for its tenant's quotas as if it were a file, so that what was
 * begun can be finished; that changes with its row, in the same transaction. Stateless.
 */
final class UploadBook {
    private final Gate gate;
    private final Directories directories;
    private final ConfigNow config;

    UploadBook(Gate gate, Directories directories, ConfigNow config) {
        this.gate = gate;
        this.directories = directories;
        this.config = config;
    }

    private long expiry() {
        return config.get().uploadExpiry().toMillis();
    }

    /** @throws PoolException if the quotas do not allow it */
    UploadRow begin(Transaction tx, TenantRow tenant, UploadId id, long volume, CheckedFile checked) {
        require(gate.refusal(tx, tenant, checked.directory(), checked.file().size().orElse(0)));
        long directory = directories.number(tx, tenant, checked.directory());
        UploadRow row = new UploadRow(tenant.number(), id, UploadRow.State.OPEN, volume, "", 0, checked.file().size(),
                directory, tx.now(), tx.now() + expiry(), 0, checked.file(), Optional.empty());
        tx.update("INSERT INTO upload (tenant, id, state, volume, incoming, size, expected, directory, begun, expires,"
                + " writer, busy, name, priority, available, idempotency, labels, source, modified)"
                + " VALUES (?, ?, 0, ?, '', 0, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)", row.tenant(), id.digits(),
                volume,
                row.expected().isPresent() ? row.expected().getAsLong() : null, directory, row.begun(), row.expires(),
                checked.name().orElse(null), checked.file().priority(),
                checked.file().availableAt().map(Instant::toEpochMilli).orElse(null),
                checked.file().idempotencyKey().orElse(null), LabelText.of(checked.labels()),
                checked.file().source().orElse(null),
                checked.file().modified().map(Instant::toEpochMilli).orElse(null));
        count(tx, tenant, row, 1, row.reserved());
        tx.publish(Owners.of(tenant.id()), "upload.begun", id.digits(), "{}");
        return row;
    }

    private static void require(Optional<Supplier<PoolException>> refusal) {
        refusal.ifPresent(why -> {
            throw why.get();
        });
    }

    private static void count(Transaction tx, TenantRow tenant, UploadRow row, long files, long bytes) {
        tx.add(tenant.uploads(), files);
        tx.add(tenant.uploadBytes(), bytes);
        tx.add(Directories.uploads(row.directory()), files);
    }

    /** Nothing if its time is over, whether or not it was dropped yet. */
    Optional<UploadRow> find(Snapshot snapshot, TenantRow tenant, UploadId id) {
        return snapshot.first("SELECT " + UploadRow.COLUMNS + " FROM upload u WHERE u.tenant = ? AND u.id = ?"
                + " AND u.expires > ?", UploadRow::read, tenant.number(), id.digits(), snapshot.now());
    }

    /** Those of a tenant that are not finished, oldest first. */
    List<UploadRow> open(Snapshot snapshot, TenantRow tenant) {
        return snapshot.query("SELECT " + UploadRow.COLUMNS + " FROM upload u WHERE u.tenant = ? AND u.state = 0"
                + " AND u.expires > ? ORDER BY u.begun, u.id", UploadRow::read, tenant.number(), snapshot.now());
    }

    /** Those of all tenants of a store. */
    List<UploadRow> open(Snapshot snapshot) {
        return snapshot.query("SELECT " + UploadRow.COLUMNS + " FROM upload u WHERE u.expires > ? AND u.state = 0",
                UploadRow::read, snapshot.now());
    }

    /**
     * Whose it is.
     *
     * @param open it was never finished
     */
    record Expired(TenantId tenant, UploadId id, boolean open) {}

    /** Of all tenants of a store, those whose time is over. */
    List<Expired> expired(Snapshot snapshot) {
        return snapshot.query("SELECT t.name, u.id, u.state FROM upload u JOIN tenant t ON t.id = u.tenant"
                + " WHERE u.expires <= ? ORDER BY u.expires",
                row -> new Expired(new TenantId(row.getString(1)), new UploadId(row.getString(2)),
                        UploadRow.State.of(row.getInt(3)) == UploadRow.State.OPEN),
                snapshot.now());
    }

    /** Where several processes may add to it: says whether this one may now. */
    boolean claim(Transaction tx, UploadRow row, long writer, Duration term) {
        return tx.update("UPDATE upload SET writer = ?, busy = ? WHERE tenant = ? AND id = ? AND state = 0 AND size = ?"
                + " AND writer = ? AND (writer = 0 OR busy < ?)", writer, tx.now() + term.toMillis(), row.tenant(),
                row.id().digits(), row.size(), row.writer(), tx.now()) > 0;
    }

    void release(Transaction tx, UploadRow row, long writer) {
        tx.update("UPDATE upload SET writer = 0, busy = 0 WHERE tenant = ? AND id = ? AND writer = ?", row.tenant(),
                row.id().digits(), writer);
    }

    /**
     * More of it is durable. Nothing if it is no longer as it was: somebody else has added to it, or it is gone.
     *
     * @throws PoolException if the quotas do not allow it
     */
    Optional<UploadRow> advance(Transaction tx, TenantRow tenant, UploadRow from, String incoming, long size,
            Duration term) {
        UploadRow to = from.at(incoming, size);
        long more = to.reserved() - from.reserved();
        if (more > 0) {
            require(gate.refusalOfBytes(tx, tenant, to.reserved(), more));
        }
        int changed = tx.update("UPDATE upload SET incoming = ?, size = ?, expires = ?, busy = ? WHERE tenant = ?"
                + " AND id = ? AND state = 0 AND size = ? AND incoming = ? AND writer = ?", incoming, size,
                tx.now() + expiry(), tx.now() + term.toMillis(), from.tenant(), from.id().digits(),
                from.size(), from.incoming(), from.writer());
        if (changed == 0) {
            return Optional.empty();
        }
        count(tx, tenant, to, 0, more);
        return Optional.of(to);
    }

    /** Fixes which file it becomes. False if it is no longer as it was. */
    boolean plan(Transaction tx, UploadRow row, UploadRow.Plan plan, Duration term) {
        return tx.update("UPDATE upload SET number = ?, nonce = ?, sha = ?, created = ?, expires = ?, busy = ?"
                + " WHERE tenant = ? AND id = ? AND state = 0 AND size = ? AND incoming = ? AND writer = ?",
                plan.key().number(), plan.key().nonce(), plan.sha().bytes(), plan.created(), tx.now() + expiry(),
                tx.now() + term.toMillis(), row.tenant(), row.id().digits(), row.size(), row.incoming(),
                row.writer()) > 0;
    }

    /** Whether one is to become that file: whoever finishes it says so before the bytes are placed. */
    static boolean isPlanned(Snapshot snapshot, long tenant, FileKey key) {
        return snapshot.first("SELECT 1 FROM upload WHERE tenant = ? AND state = 0 AND number = ? AND nonce = ?",
                row -> row.getInt(1), tenant, key.number(), key.nonce()).isPresent();
    }

    /** Whether what is to become a file is still wanted. */
    boolean isOpen(Snapshot snapshot, UploadRow row) {
        return snapshot.first("SELECT 1 FROM upload WHERE tenant = ? AND id = ? AND state = 0 AND size = ?"
                + " AND writer = ?", found -> found.getInt(1), row.tenant(), row.id().digits(), row.size(),
                row.writer()).isPresent();
    }

    /** It has become that file, or there was one; it is remembered for those who ask again. */
    void finish(Transaction tx, TenantRow tenant, UploadRow row, FileKey key, UploadRow.State state) {
        tx.update("UPDATE upload SET state = ?, number = ?, nonce = ?, expires = ?, writer = 0 WHERE tenant = ?"
                + " AND id = ?", state.code(), key.number(), key.nonce(), tx.now() + config.get().history().toMillis(),
                row.tenant(),
                row.id().digits());
        count(tx, tenant, row, -1, -row.reserved());
    }

    /** The row as it is now goes, and what it counted for; bytes that have their name already are doomed. */
    Optional<UploadRow> remove(Transaction tx, TenantRow tenant, UploadId id, String event, boolean onlyExpired,
            LongFunction<Optional<Integer>> depths) {
        Optional<UploadRow> found = tx.first("SELECT " + UploadRow.COLUMNS + " FROM upload u WHERE u.tenant = ?"
                + " AND u.id = ?", UploadRow::read, tenant.number(), id.digits())
                .filter(row -> !onlyExpired || row.expires() <= tx.now());
        found.ifPresent(row -> {
            tx.update("DELETE FROM upload WHERE tenant = ? AND id = ?", tenant.number(), id.digits());
            if (row.state() == UploadRow.State.OPEN) {
                count(tx, tenant, row, -1, -row.reserved());
                row.plan().ifPresent(plan -> depths.apply(row.volume())
                        .ifPresent(depth -> doom(tx, tenant, row, plan, depth)));
                tx.publish(Owners.of(tenant.id()), event, id.digits(), new Body().with("size", row.size()).toString());
            }
        });
        return found;
    }

    private static void doom(Transaction tx, TenantRow tenant, UploadRow row, UploadRow.Plan plan, int depth) {
        FileRow file = row.file(plan, depth, CheckedFile.of(row.said()));
        tx.update("INSERT INTO file_doomed (id, volume, path) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                plan.key().number(), row.volume(), file.path(tenant.id()).toString());
    }
}
