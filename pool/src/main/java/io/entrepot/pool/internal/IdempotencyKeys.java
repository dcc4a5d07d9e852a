package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.Sha256;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.Optional;

/** Which file an idempotency key has named, as long as the file is there and for the memory after it was written. */
final class IdempotencyKeys {
    private static final int LONGEST = 200;

    private final Duration memory;

    /** What was written with a key. */
    record Earlier(FileKey key, long size, Sha256 sha, Optional<String> name) {

        boolean isSame(long otherSize, Sha256 otherSha, Optional<String> otherName) {
            return size == otherSize && sha.equals(otherSha) && name.equals(otherName);
        }
    }

    IdempotencyKeys(Duration memory) {
        this.memory = memory;
    }

    static void requireValid(String key) {
        if (key.isBlank() || key.length() > LONGEST || !CheckedFile.isText(key)) {
            throw new InvalidNameException("an idempotency key has 1 to " + LONGEST
                    + " characters without control characters");
        }
    }

    Optional<Earlier> find(Snapshot snapshot, long tenant, String key) {
        return snapshot.first("SELECT id, nonce, size, sha, name FROM file_key WHERE tenant = ? AND key = ?",
                row -> new Earlier(new FileKey(row.getLong(1), row.getLong(2)), row.getLong(3),
                        new Sha256(row.getBytes(4)), Optional.ofNullable(row.getString(5))),
                tenant, key);
    }

    void add(Transaction tx, long tenant, String key, FileRow file) {
        tx.update(
                "INSERT INTO file_key (tenant, key, id, nonce, size, sha, name, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                tenant, key, file.key().number(), file.key().nonce(), file.size(), file.sha().bytes(),
                file.name().orElse(null), tx.now() + memory.toMillis());
    }

    /** Of those whose time is over and whose files are there, it begins anew. Says how many. */
    int renew(Transaction tx, int most) {
        return tx.update("UPDATE file_key SET until = ? WHERE (tenant, key) IN (SELECT k.tenant, k.key FROM file_key k"
                + " JOIN file f ON f.tenant = k.tenant AND f.id = k.id AND f.nonce = k.nonce"
                + " WHERE k.until < ? ORDER BY k.until LIMIT ?)", tx.now() + memory.toMillis(), tx.now(), most);
    }

    /** How many {@link #forget} would forget now. */
    static long forgettable(Snapshot snapshot) {
        return snapshot.query("SELECT count(*) FROM file_key k WHERE k.until < ? AND NOT EXISTS (SELECT 1 FROM file f"
                + " WHERE f.tenant = k.tenant AND f.id = k.id AND f.nonce = k.nonce)", row -> row.getLong(1),
                snapshot.now()).getFirst();
    }

    /** Forgets those whose time is over and whose files are gone. Says how many. */
    int forget(Transaction tx, int most) {
        return tx.update("DELETE FROM file_key WHERE (tenant, key) IN (SELECT k.tenant, k.key FROM file_key k"
                + " WHERE k.until < ? AND NOT EXISTS (SELECT 1 FROM file f WHERE f.tenant = k.tenant AND f.id = k.id"
                + " AND f.nonce = k.nonce) ORDER BY k.until LIMIT ?)", tx.now(), most);
    }
}
