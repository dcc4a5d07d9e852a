package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;
    private DataDirectory data;
    private Store store;

    @BeforeEach
    void aLargeFileWithLittleInIt() {
        data = DataDirectory.open(root.resolve("data"), StoreConfig.of());
        store = data.main();
        store.write(ACME, tx -> tx.update("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)"));
        for (int i = 0; i < 20; i++) {
            store.write(ACME, tx -> tx.update("INSERT INTO t (x) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL"
                    + " SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(2000) FROM n"));
        }
        store.write(ACME, tx -> tx.update("DELETE FROM t WHERE id % 20 <> 0"));
    }

    @AfterEach
    void close() {
        data.close();
    }

    private long bytes() throws IOException {
        Path log = root.resolve("data").resolve(DataDirectory.MAIN + "-wal");
        return Files.size(root.resolve("data").resolve(DataDirectory.MAIN)) + (Files.exists(log) ? Files.size(log) : 0);
    }

    private int rows() {
        return store.read(snapshot -> snapshot.query("SELECT id FROM t", row -> row.getLong(1)).size());
    }

    @Test
    void compact_whenMostRowsAreGone_shrinksTheFileAndReportsIt() throws IOException {
        CompactionReport report = store.compact();
        assertThat(report.before()).isGreaterThan(20_000_000);
        assertThat(report.after()).isEqualTo(bytes()).isLessThan(10_000_000);
        assertThat(report.reclaimed()).isEqualTo(report.before() - report.after());
        assertThat(report.longestStep()).isPositive();
        assertThat(rows()).isEqualTo(500);
        assertThat(store.check().problems()).isEmpty();
        CompactionReport again = store.compact();
        assertThat(again.reclaimed()).isLessThan(100_000);
    }

    @Test
    void compact_whileOthersWriteAndRead_letsThemThrough() {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(8);
        AtomicInteger written = new AtomicInteger();
        Crowd<Integer> others = Crowd.start(8, _ -> {
            int reads = 0;
            started.countDown();
            while (!done.get()) {
                store.write(ACME, tx -> tx.update("INSERT INTO t (x) VALUES ('new')"));
                written.incrementAndGet();
                reads += store.<Long>read(Snapshot::now) > 0 ? 1 : 0;
            }
            return reads;
        });
        try {
            started.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        int before = written.get();
        CompactionReport report = store.compact();
        int during = written.get() - before;
        done.set(true);
        others.results();
        // The file gives back some 5,000 pages in steps of 128.
        assertThat(during).isGreaterThan(25);
        assertThat(report.reclaimed()).isGreaterThan(10_000_000);
        assertThat(rows()).isEqualTo(500 + written.get());
        assertThat(store.check().problems()).isEmpty();
    }

    @Test
    void compact_whileASnapshotIsHeld_doesNotFailAnybody() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Crowd<Integer> reader = Crowd.start(1, _ -> store.read(snapshot -> {
            int rows = snapshot.query("SELECT id FROM t", row -> row.getLong(1)).size();
            reading.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return rows;
        }));
        reading.await();
        CompactionReport held = store.compact();
        assertThat(held.after()).isPositive();
        store.write(ACME, tx -> tx.update("INSERT INTO t (x) VALUES ('new')"));
        done.countDown();
        assertThat(reader.results()).containsExactly(500);
        assertThat(store.compact().after()).isLessThan(10_000_000);
    }
}
