package io.entrepot.pool.internal;

import io.entrepot.store.Counter;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watchers as settings, which are kept beside the database, and back. What they mean is known to {@code RuleBook}. Stateless.
 *
 * <p>What a watcher has imported is not among the settings. One that comes back without these records would import once more
 * what it has imported and kept, or not yet removed; so it comes back disabled, for people to look at its directory first.
 */
final class WatcherRows {
    /** Texts and numbers; more may come at the end. */
    private static final List<String> TEXTS = List.of("name", "tenant", "path", "patterns", "excludes", "move_to",
            "marker", "labels");
    private static final List<String> NUMBERS = List.of("make_directories", "every", "at_once", "min_age", "max_size",
            "action", "is_recursive", "priority");
    private static final String COLUMNS = String.join(", ", TEXTS) + ", " + String.join(", ", NUMBERS) + ", enabled";
    private static final int SIZE = TEXTS.size() + NUMBERS.size() + 1;

    private WatcherRows() {}

    static List<Settings.Watcher> settings(Snapshot snapshot) {
        return snapshot.query("SELECT " + COLUMNS + " FROM watcher WHERE removed IS NULL ORDER BY name", row -> {
            List<Optional<String>> columns = new ArrayList<>();
            for (int i = 1; i <= SIZE; i++) {
                columns.add(Optional.ofNullable(row.getString(i)));
            }
            return new Settings.Watcher(columns);
        });
    }

    /** Makes the books of a database that was replaced say what the settings say, and tells what people should know. */
    static List<String> restore(Transaction tx, List<Settings.Watcher> watchers) {
        List<String> notes = new ArrayList<>();
        Set<String> wanted = new HashSet<>();
        for (Settings.Watcher watcher : watchers) {
            if (watcher.columns().size() >= SIZE) {
                String name = watcher.columns().getFirst().orElseThrow();
                wanted.add(name);
                restore(tx, name, watcher, notes);
            }
        }
        for (String name : tx.query("SELECT name FROM watcher WHERE removed IS NULL", row -> row.getString(1))) {
            if (!wanted.contains(name)) {
                tx.update("UPDATE watcher SET removed = ? WHERE name = ?", tx.now(), name);
                notes.add(
                        "watcher " + name + " is in the backup and not in the settings: it was removed since, and is");
            }
        }
        return notes;
    }

    private static void restore(Transaction tx, String name, Settings.Watcher watcher, List<String> notes) {
        record Known(long number, boolean enabled) {}
        Optional<Known> known = tx.first("SELECT id, enabled FROM watcher WHERE name = ? AND removed IS NULL",
                row -> new Known(row.getLong(1), row.getLong(2) != 0), name);
        tx.update("DELETE FROM watcher WHERE name = ?", name);
        boolean wasEnabled = watcher.columns().get(SIZE - 1).filter("1"::equals).isPresent();
        // Never enabled by this: a try that died may have brought it back before.
        boolean enabled = wasEnabled && known.map(Known::enabled).orElse(false);
        @Nullable
        Object[] values = new Object[SIZE + 1];
        values[0] = known.map(Known::number).orElseGet(() -> tx.next(new Counter("pool.watcher", 0), 1));
        for (int i = 0; i < SIZE - 1; i++) {
            Optional<String> value = watcher.columns().get(i);
            values[i + 1] = i < TEXTS.size() ? value.orElse(null) : (Object) value.map(Long::valueOf).orElse(0L);
        }
        values[SIZE] = enabled ? 1 : 0;
        tx.update("INSERT INTO watcher (id, " + COLUMNS + ") VALUES (?" + ", ?".repeat(SIZE) + ")", values);
        if (wasEnabled && !enabled) {
            notes.add("watcher " + name + " is back, but disabled: what it has imported is not known any more, and what"
                    + " is still in its directory would be imported again; look there, then enable it");
        }
    }
}
