package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Faults.Point;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Between a commit and its sync nobody hears of it and nobody sees it. */
class SyncTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;
    private DataDirectory data;
    private Store store;
    private final StandingSync sync = new StandingSync();
    private volatile Faults faults = Faults.NONE;

    @BeforeEach
    void open() {
        data = DataDirectory.open(root.resolve("data"), StoreConfig.of().withFaults(point -> faults.reach(point)));
        store = data.main();
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (x INTEGER)"));
    }

    @AfterEach
    void close() {
        faults = Faults.NONE;
        sync.open.countDown(); // a test that has failed may have left it standing
        data.close();
    }

    private int insert(int x) {
        return store.write(ACME, tx -> tx.update("INSERT INTO t VALUES (?)", x));
    }

    private List<Integer> found() {
        return store.read(snapshot -> snapshot.query("SELECT x FROM t ORDER BY x", row -> row.getInt(1)));
    }

    /** A sync that stands still until it is let go. */
    private static final class StandingSync implements Faults {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
        private final AtomicBoolean fails = new AtomicBoolean();

        @Override
        public void reach(Point point) {
            if (point == Point.SYNC) {
                reached.countDown();
                waitFor(open);
                if (fails.get()) {
                    throw NotDoneException.io("the sync failed", null); // even if it says so, it is not "not done"
                }
            }
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Until a reader has its snapshot and waits, or has got past that place. */
    private static void awaitReader(AtomicBoolean past) {
        Awaitility.await().pollInSameThread().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(
                () -> past.get() || Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().startsWith("store-reader-"))
                        .flatMap(thread -> List.of(thread.getValue()).stream())
                        .anyMatch(frame -> frame.getClassName().endsWith(".LogSync")));
    }

    @Test
    void write_whenItsGroupIsNotOnTheDiskYet_isNotAnswered() {
        List<String> order = new ArrayList<>();
        faults = point -> {
            if (point == Point.SYNC || point == Point.COMMITTED || point == Point.ANSWER) {
                order.add(point + " with " + store.events().last() + " events");
            }
        };
        store.write(ACME, tx -> {
            tx.publish(ACME, "made", "x", "");
            tx.afterCommit(() -> order.add("effect"));
            return tx.update("INSERT INTO t VALUES (1)");
        });
        order.add("answered");
        assertThat(order).containsExactly("SYNC with 0 events", "COMMITTED with 0 events", "effect",
                "ANSWER with 1 events", "answered");
    }

    @Test
    void read_whenACommitIsNotOnTheDiskYet_waitsForIt() {
        faults = sync;
        Crowd<Integer> writer = Crowd.start(1, this::insert);
        waitFor(sync.reached);
        AtomicBoolean released = new AtomicBoolean();
        AtomicBoolean reads = new AtomicBoolean();
        Crowd<Boolean> reader = Crowd.start(1, _ -> store.read(_ -> {
            reads.set(true);
            return released.get();
        }));
        awaitReader(reads);
        released.set(true);
        sync.open.countDown();
        assertThat(reader.results()).containsExactly(true);
        assertThat(writer.results()).containsExactly(1);
        assertThat(found()).containsExactly(0);
    }

    @Test
    void read_whenTheSyncItWaitsForFails_isRefused() {
        faults = sync;
        Crowd<Integer> writer = Crowd.start(1, this::insert);
        waitFor(sync.reached);
        AtomicBoolean reads = new AtomicBoolean();
        Crowd<List<Integer>> reader = Crowd.start(1, _ -> store.read(snapshot -> {
            reads.set(true);
            return snapshot.query("SELECT x FROM t", row -> row.getInt(1));
        }));
        awaitReader(reads);
        sync.fails.set(true);
        sync.open.countDown();
        assertThat(reader.outcomes().getFirst().failure()).isInstanceOf(StoreClosedException.class);
        assertThat(writer.outcomes().getFirst().failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(reads).isFalse();
    }

    @Test
    void sync_whenItFailed_isNeverFollowedByOneThatCounts() {
        AtomicInteger syncs = new AtomicInteger();
        faults = point -> {
            if (point == Point.SYNC && syncs.incrementAndGet() == 1) {
                throw new IllegalStateException("the sync failed");
            }
        };
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> insert(1));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> insert(2));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(this::found);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.backup(root.resolve("copy")));
        assertThat(syncs).hasValue(1);
        data.close();
        open();
        assertThat(found()).isIn(List.of(), List.of(1));
        assertThat(insert(3)).isOne();
    }

    @Test
    void backup_whenACommitIsNotOnTheDiskYet_isNotThereBeforeIt() {
        faults = sync;
        Path copy = root.resolve("copy");
        Crowd<Integer> writer = Crowd.start(1, this::insert);
        waitFor(sync.reached);
        Crowd<Path> backup = Crowd.start(1, _ -> {
            store.backup(copy);
            return copy;
        });
        Awaitility.await().pollInSameThread().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(
                () -> copy.toFile().exists() || Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().startsWith("store-maintenance-"))
                        .flatMap(thread -> List.of(thread.getValue()).stream())
                        .anyMatch(frame -> frame.getClassName().endsWith(".LogSync")));
        assertThat(copy).doesNotExist();
        sync.open.countDown();
        assertThat(backup.results().getFirst()).exists();
        writer.results();
    }

    @Test
    void sync_whenTheGroupHasChangedNothing_isSpared() {
        List<Point> passed = new ArrayList<>();
        faults = passed::add;
        assertThat(store.<Long>write(ACME, tx -> tx.first("SELECT count(*) FROM t", row -> row.getLong(1)).orElse(0L)))
                .isZero();
        assertThat(passed).contains(Point.COMMITTED).doesNotContain(Point.SYNC);
        for (Work<?> changing : List.<Work<?>>of(tx -> tx.update("CREATE TABLE u (x INTEGER)"),
                tx -> tx.updateEach("INSERT INTO t VALUES $rows", List.<Object[]>of(new Object[]{1})),
                tx -> tx.query("DELETE FROM t RETURNING x", row -> row.getInt(1)),
                tx -> tx.query("WITH v (x) AS (VALUES (1)) INSERT INTO t SELECT x FROM v RETURNING x",
                        row -> row.getInt(1)),
                tx -> {
                    tx.add(new Counter("sync.test", 1), 1);
                    return tx;
                },
                tx -> {
                    tx.publish(ACME, "made", "x", "");
                    return tx;
                })) {
            passed.clear();
            store.write(ACME, changing);
            assertThat(passed).containsSubsequence(Point.COMMIT, Point.SYNC, Point.COMMITTED);
        }
    }

    @Test
    void write_whenAUnitInterruptsItsThread_isSyncedAllTheSame() {
        for (int i = 0; i < 3; i++) {
            int x = i;
            store.write(ACME, tx -> {
                Thread.currentThread().interrupt();
                return tx.update("INSERT INTO t VALUES (?)", x);
            });
        }
        assertThat(found()).containsExactly(0, 1, 2);
    }
}
