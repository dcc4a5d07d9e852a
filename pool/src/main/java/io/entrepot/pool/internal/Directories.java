package io.entrepot.pool.internal;

import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.TenantId;
import io.entrepot.store.Counter;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of logical directories, each in its tenant's store. Safe for use by many threads: what is remembered never
 * changes. It is remembered by the tenant's number too: one that was deleted and made again begins anew.
 */
final class Directories {
    private static final int MOST_REMEMBERED = 100_000;

    private final Map<Place, Long> numbers = new ConcurrentHashMap<>();
    private final Map<Numbered, LogicalDirectory> paths = new ConcurrentHashMap<>();

    private record Place(TenantId tenant, long number, LogicalDirectory path) {}

    private record Numbered(TenantId tenant, long tenantNumber, long number) {}

    static Counter files(long directory) {
        return new Counter("pool.directory.files", directory);
    }

    /** Uploads that are open. */
    static Counter uploads(long directory) {
        return new Counter("pool.directory.uploads", directory);
    }

    /** The number of a directory, which is made if there is none. */
    long number(Transaction tx, TenantRow tenant, LogicalDirectory path) {
        Long known = numbers.get(new Place(tenant.id(), tenant.number(), path));
        if (known != null) {
            return known;
        }
        Optional<Long> found = find(tx, tenant, path);
        if (found.isPresent()) {
            return found.get();
        }
        long number = tx.next(new Counter("pool.directory", 0), 1);
        tx.update("INSERT INTO directory (id, tenant, path) VALUES (?, ?, ?)", number, tenant.number(), path.path());
        tx.afterCommit(() -> remember(tenant, path, number));
        return number;
    }

    Optional<Long> find(Snapshot snapshot, TenantRow tenant, LogicalDirectory path) {
        Long known = numbers.get(new Place(tenant.id(), tenant.number(), path));
        if (known != null) {
            return Optional.of(known);
        }
        return snapshot.first("SELECT id FROM directory WHERE tenant = ? AND path = ?", row -> row.getLong(1),
                tenant.number(), path.path());
    }

    LogicalDirectory path(Snapshot snapshot, TenantRow tenant, long number) {
        LogicalDirectory known = paths.get(new Numbered(tenant.id(), tenant.number(), number));
        if (known != null) {
            return known;
        }
        LogicalDirectory found = snapshot.first("SELECT path FROM directory WHERE id = ?",
                row -> new LogicalDirectory(row.getString(1)), number)
                .orElseThrow(() -> new IllegalStateException("no directory has the number " + number));
        remember(tenant, found, number);
        return found;
    }

    /** Its rows have been replaced. */
    void forget(TenantId tenant) {
        numbers.keySet().removeIf(place -> place.tenant.equals(tenant));
        paths.keySet().removeIf(numbered -> numbered.tenant.equals(tenant));
    }

    private void remember(TenantRow tenant, LogicalDirectory path, long number) {
        if (numbers.size() >= MOST_REMEMBERED) {
            numbers.clear();
            paths.clear();
        }
        numbers.put(new Place(tenant.id(), tenant.number(), path), number);
        paths.put(new Numbered(tenant.id(), tenant.number(), number), path);
    }
}
