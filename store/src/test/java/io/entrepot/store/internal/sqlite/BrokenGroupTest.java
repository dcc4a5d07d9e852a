package io.entrepot.store.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Transaction;
import io.entrepot.store.contract.Gate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On some errors SQLite ends the transaction by itself, in the middle of a group. */
class BrokenGroupTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;

    private static void pagesAtMost(Store store, long pages) {
        store.write(ACME, tx -> tx.query("PRAGMA max_page_count = " + pages, row -> row.getLong(1)));
    }

    private static int insert(Transaction tx, long id, int bytes) {
        return tx.update("INSERT INTO t VALUES (?, ?)", id, new byte[bytes]);
    }

    @Test
    void group_whenAUnitSwallowsTheErrorThatEndedTheTransaction_isNotDoneAtAll() {
        try (DataDirectory data = DataDirectory.open(root.resolve("data"), StoreConfig.of())) {
            Store store = data.main();
            store.write(ACME, tx -> tx.update("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)"));
            pagesAtMost(store, 100);
            Crowd<Integer> crowd = new Crowd<>();
            try (Gate gate = Gate.shut(store)) {
                crowd.start(() -> store.write(ACME, tx -> insert(tx, 1, 10)));
                crowd.awaitWaiting();
                crowd.start(() -> store.write(ACME, tx -> {
                    insert(tx, 2, 10);
                    swallowing(() -> insert(tx, 3, 10 << 20));
                    swallowing(() -> insert(tx, 4, 10));
                    return 0;
                }));
                crowd.awaitWaiting();
                crowd.start(() -> store.write(ACME, tx -> insert(tx, 5, 10)));
                crowd.awaitWaiting();
                gate.open();
            }
            for (Outcome<Integer> outcome : crowd.outcomes()) {
                assertThat(outcome.failure()).isInstanceOfSatisfying(NotDoneException.class,
                        e -> assertThat(e.code()).isEqualTo("store.disk-full"));
            }
            assertThat(ids(store)).isEmpty();
            pagesAtMost(store, 1_000_000);
            store.write(ACME, tx -> insert(tx, 6, 10 << 20));
            assertThat(ids(store)).containsExactly(6L);
        }
    }

    private static void swallowing(Runnable statement) {
        try {
            statement.run();
        } catch (NotDoneException e) {
            assertThat(e.code()).isEqualTo("store.disk-full");
        }
    }

    private static List<Long> ids(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT id FROM t ORDER BY id", row -> row.getLong(1)));
    }
}
