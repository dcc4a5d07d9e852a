package io.entrepot.pool.watch;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.internal.Body;
import io.entrepot.pool.internal.Owners;
import io.entrepot.posix.BytePath;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.scan.Entry;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The failed imports of one watcher. They are in the main database; what is in memory is what was loaded at the beginning of a look
 * and what has been written since. There are so many at most: if more fail, something is wrong with all of them, and a list of
 * a million would help nobody. Safe for use by many threads.
 */
final class FailureBook {
    static final int MOST = 10_000;

    private final Store main;
    private final int most;
    private final WatcherId id;
    private final long watcher;
    private final Map<BytePath, Failure> failures = new ConcurrentHashMap<>();

    FailureBook(Store main, WatcherId id, long watcher, int most) {
        this.most = most;
        this.main = main;
        this.id = id;
        this.watcher = watcher;
    }

    /** Reads them again: another process may have changed them. Whoever lists them meanwhile misses none that stays. */
    void load() {
        List<Failure> rows = main.read(snapshot -> snapshot.query("SELECT path, tenant, inode, size, mtime, ctime,"
                + " attempts, error, at, next FROM import_failure WHERE watcher = ? ORDER BY path LIMIT ?",
                FailureBook::read, watcher,
                most));
        failures.keySet().retainAll(rows.stream().map(Failure::path).collect(Collectors.toSet()));
        rows.forEach(failure -> failures.put(failure.path(), failure));
    }

    /** Whether one more failure of that file can be written down. */
    boolean hasRoomFor(BytePath path) {
        return failures.size() < most || failures.containsKey(path);
    }

    Optional<Failure> find(BytePath path) {
        return Optional.ofNullable(failures.get(path));
    }

    List<Failure> due(long now) {
        return failures.values().stream().filter(failure -> failure.isDue(now)).toList();
    }

    OptionalLong nextDue() {
        return failures.values().stream().filter(failure -> !failure.isParked())
                .mapToLong(failure -> failure.next().getAsLong()).min();
    }

    List<Failure> parked() {
        return failures.values().stream().filter(Failure::isParked).sorted(Comparator.comparing(Failure::path))
                .toList();
    }

    long retrying() {
        return failures.values().stream().filter(failure -> !failure.isParked()).count();
    }

    /** Writes down one more failure, and when it is tried again, if it is. */
    Failure failed(BytePath path, Entry entry, TenantId tenant, RetryPolicy policy, String error) {
        int attempts = find(path).filter(before -> before.isOf(entry)).map(Failure::attempts).orElse(0) + 1;
        boolean parked = attempts >= policy.attempts();
        Failure failure = main.write(Owners.of(tenant), tx -> {
            OptionalLong next = parked
                    ? OptionalLong.empty()
                    : OptionalLong.of(tx.now() + policy.delay(attempts).toMillis());
            tx.update(
                    "INSERT INTO import_failure (watcher, path, tenant, inode, size, mtime, ctime, attempts, error, at,"
                            + " next) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (watcher, path) DO UPDATE SET"
                            + " tenant = excluded.tenant, inode = excluded.inode, size = excluded.size,"
                            + " mtime = excluded.mtime, ctime = excluded.ctime, attempts = excluded.attempts,"
                            + " error = excluded.error, at = excluded.at, next = excluded.next",
                    watcher, path.toString(),
                    tenant.name(), entry.inode(), entry.size(), entry.mtime(), entry.ctime(), attempts, error,
                    tx.now(), next.isPresent() ? (Long) next.getAsLong() : null);
            tx.publish(Owners.of(tenant), parked ? "import.parked" : "import.failed", path.toString(),
                    new Body().with("watcher", id.name()).with("attempt", attempts).with("error", error).toString());
            return new Failure(path, tenant.name(), entry.inode(), entry.size(), entry.mtime(), entry.ctime(), attempts,
                    error, tx.now(), next);
        });
        failures.put(path, failure);
        return failure;
    }

    /** It was imported after all, or is gone. */
    void forget(Set<BytePath> paths) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (BytePath path : paths) {
            if (failures.remove(path) != null) {
                rows.add(new Object[]{watcher, path.toString()});
            }
        }
        if (!rows.isEmpty()) {
            main.write(Owner.SYSTEM, tx -> tx.updateEach(
                    "DELETE FROM import_failure WHERE (watcher, path) IN (VALUES $rows)", rows));
        }
    }

    Set<BytePath> paths() {
        return Set.copyOf(failures.keySet());
    }

    /** Parked ones begin anew, now: that one, or all of them. Says how many. */
    int retry(Optional<BytePath> only) {
        String one = only.map(BytePath::toString).orElse("");
        int changed = main.write(Owner.SYSTEM, tx -> tx.update("UPDATE import_failure SET attempts = 0, next = ?"
                + " WHERE watcher = ? AND next IS NULL AND (? = '' OR path = ?)", tx.now(), watcher, one, one));
        load();
        return changed;
    }

    void forgetAll() {
        main.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM import_failure WHERE watcher = ?", watcher));
        failures.clear();
    }

    private static Failure read(ResultSet row) throws SQLException {
        long next = row.getLong(10);
        OptionalLong due = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(next);
        return new Failure(BytePath.parse(row.getString(1)), row.getString(2), row.getLong(3), row.getLong(4),
                row.getLong(5), row.getLong(6), row.getInt(7), row.getString(8), row.getLong(9), due);
    }
}
