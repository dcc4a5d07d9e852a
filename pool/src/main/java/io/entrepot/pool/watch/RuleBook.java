package io.entrepot.pool.watch;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Labels;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.pool.internal.LabelText;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The watchers in the main database. Safe for use by many threads: it has no state of its own. */
final class RuleBook {
    private static final String COLUMNS = "id, name, tenant, make_directories, path, every, at_once, min_age, max_size,"
            + " patterns, excludes, action, move_to, is_recursive, marker, priority, labels, enabled";

    private final Store main;

    RuleBook(Store main) {
        this.main = main;
    }

    List<Rule> all() {
        return main.read(snapshot -> snapshot.query("SELECT " + COLUMNS + " FROM watcher WHERE removed IS NULL"
                + " ORDER BY name", RuleBook::read));
    }

    Optional<Rule> find(WatcherId id) {
        return main.read(snapshot -> find(snapshot, id));
    }

    private static Optional<Rule> find(Snapshot snapshot, WatcherId id) {
        return snapshot.first("SELECT " + COLUMNS + " FROM watcher WHERE name = ? AND removed IS NULL",
                RuleBook::read, id.name());
    }

    /** One that was removed lately gets its number back. */
    Rule add(WatcherSpec spec) {
        return main.write(Owner.SYSTEM, tx -> {
            if (find(tx, spec.id()).isPresent()) {
                throw new InvalidSettingException("there is a watcher " + spec.id() + " already");
            }
            long number = tx.first("SELECT id FROM watcher WHERE name = ?", row -> row.getLong(1), spec.id().name())
                    .orElseGet(() -> tx.next(new Counter("pool.watcher", 0), 1));
            put(tx, number, spec);
            tx.publish(Owner.SYSTEM, "watcher.added", spec.id().name(), "{}");
            return new Rule(number, spec);
        });
    }

    Rule update(WatcherSpec spec) {
        return main.write(Owner.SYSTEM, tx -> {
            Rule before = find(tx, spec.id()).orElseThrow(() -> unknown(tx, spec.id()));
            put(tx, before.number(), spec);
            tx.publish(Owner.SYSTEM, "watcher.changed", spec.id().name(), "{}");
            return new Rule(before.number(), spec);
        });
    }

    void remove(WatcherId id) {
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE watcher SET removed = ? WHERE name = ?", tx.now(), id.name());
            tx.publish(Owner.SYSTEM, "watcher.removed", id.name(), "{}");
            return true;
        });
    }

    /** What could not be imported, for each of them. */
    Map<WatcherId, ImportBacklog> backlog() {
        record Of(WatcherId id, ImportBacklog backlog) {}
        return main.read(snapshot -> snapshot.query("SELECT w.name, COUNT(f.next), COUNT(f.path) - COUNT(f.next)"
                + " FROM watcher w LEFT JOIN import_failure f ON f.watcher = w.id WHERE w.removed IS NULL"
                + " GROUP BY w.name",
                row -> new Of(new WatcherId(row.getString(1)),
                        new ImportBacklog(row.getLong(2), row.getLong(3)))))
                .stream().collect(Collectors.toMap(Of::id, Of::backlog));
    }

    /** The numbers of those that were removed before then. */
    List<Long> removedBefore(long time) {
        return main.read(snapshot -> snapshot.query("SELECT id FROM watcher WHERE removed < ?", row -> row.getLong(1),
                time));
    }

    /** From now on one that is added under its name is another one. False if it was added again. */
    boolean abandon(long number) {
        return main.write(Owner.SYSTEM, tx -> tx.update("UPDATE watcher SET name = ? WHERE id = ?"
                + " AND removed IS NOT NULL", "#" + number, number)) > 0;
    }

    void forget(long number) {
        main.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM watcher WHERE id = ? AND removed IS NOT NULL", number));
    }

    WatcherNotFoundException unknown(WatcherId id) {
        return main.read(snapshot -> unknown(snapshot, id));
    }

    private static WatcherNotFoundException unknown(Snapshot snapshot, WatcherId id) {
        return new WatcherNotFoundException(id.name(), snapshot.query(
                "SELECT name FROM watcher WHERE removed IS NULL ORDER BY name", row -> row.getString(1)));
    }

    private static void put(Transaction tx, long number, WatcherSpec spec) {
        boolean create = spec.mode() instanceof WatchMode.ManyTenants(boolean createDirectories) && createDirectories;
        @Nullable
        String tenant = spec.mode() instanceof WatchMode.OneTenant(TenantId one) ? one.name() : null;
        @Nullable
        String moveTo = spec.postImport() instanceof PostImport.Move(Path to) ? to.toString() : null;
        tx.update("DELETE FROM watcher WHERE id = ?", number);
        tx.update(
                "INSERT INTO watcher (" + COLUMNS + ", removed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                        + " ?, ?, NULL)",
                number, spec.id().name(), tenant, create ? 1 : 0, spec.path().toString(),
                spec.pollingInterval().toMillis(), spec.maxConcurrentImports(), spec.minFileAge().toMillis(),
                spec.maxFileSize(), String.join("\n", spec.patterns()), String.join("\n", spec.excludes()),
                code(spec.postImport()), moveTo, spec.recursive() ? 1 : 0, spec.marker().orElse(null), spec.priority(),
                LabelText.of(Labels.of(spec.labels())), spec.enabled() ? 1 : 0);
    }

    private static int code(PostImport after) {
        return switch (after) {
            case PostImport.Delete() -> 0;
            case PostImport.Move _ -> 1;
            case PostImport.Keep() -> 2;
        };
    }

    private static Rule read(ResultSet row) throws SQLException {
        String tenant = row.getString(3);
        WatchMode mode = tenant == null
                ? new WatchMode.ManyTenants(row.getLong(4) != 0)
                : new WatchMode.OneTenant(new TenantId(tenant));
        PostImport after = switch (row.getInt(12)) {
            case 0 -> new PostImport.Delete();
            case 1 -> new PostImport.Move(Path.of(row.getString(13)));
            default -> new PostImport.Keep();
        };
        return new Rule(row.getLong(1), new WatcherSpec(new WatcherId(row.getString(2)), mode,
                Path.of(row.getString(5)), Duration.ofMillis(row.getLong(6)), row.getInt(7),
                Duration.ofMillis(row.getLong(8)), row.getLong(9), lines(row.getString(10)), lines(row.getString(11)),
                after, row.getLong(14) != 0, Optional.ofNullable(row.getString(15)), row.getInt(16),
                LabelText.parse(row.getString(17)).all(), row.getLong(18) != 0));
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }
}
