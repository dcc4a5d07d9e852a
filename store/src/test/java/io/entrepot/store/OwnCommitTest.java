package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.store.Faults.Point;
import io.entrepot.store.contract.Gate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller that finds nobody else commits for itself; with others, or on a virtual thread, it is committed for. */
class OwnCommitTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;
    private final AtomicReference<Faults> faults = new AtomicReference<>(Faults.NONE);
    private DataDirectory data;
    private Store store;

    @BeforeEach
    void open() {
        data = DataDirectory.open(root.resolve("data"),
                StoreConfig.of().withFaults(point -> faults.get().reach(point)));
        store = data.main();
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (x INTEGER PRIMARY KEY, thread TEXT)"));
        assertThat(by(-1)).isNotEmpty();
    }

    @AfterEach
    void close() {
        data.close();
    }

    private void reopen() {
        data.close();
        open();
    }

    /** Inserts it, and says by which thread. */
    private String by(int x) {
        return store.write(ACME, tx -> {
            tx.update("INSERT OR REPLACE INTO t VALUES (?, ?)", x, Thread.currentThread().getName());
            return Thread.currentThread().getName();
        });
    }

    /** The committing thread may be seeing to the log at this moment: then again. */
    private void own(int x) {
        int tries = 1000;
        while (!by(x).equals(Thread.currentThread().getName())) {
            assertThat(--tries).as("tries left").isPositive();
        }
    }

    private long rows() {
        return store
                .<Long>read(snapshot -> snapshot.first("SELECT count(*) FROM t", row -> row.getLong(1)).orElseThrow());
    }

    @Test
    void write_whenNobodyElseIsHere_isDoneByItsCaller() {
        own(1);
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void write_onAVirtualThread_isDoneByTheCommittingThread() throws Exception {
        Thread[] caller = new Thread[1];
        AtomicReference<String> thread = new AtomicReference<>("");
        caller[0] = Thread.ofVirtual().start(() -> thread.set(by(1)));
        caller[0].join();
        assertThat(thread.get()).startsWith("store-commit");
    }

    @Test
    void write_whenItsCallerIsInterrupted_isDoneAndTheStoreGoesOn() throws Exception {
        for (Point point : List.of(Point.BEGUN, Point.COMMIT, Point.SYNC, Point.COMMITTED, Point.ANSWER)) {
            Thread caller = Thread.currentThread();
            faults.set(reached -> {
                if (reached == point) {
                    caller.interrupt();
                }
            });
            own(point.ordinal());
            faults.set(Faults.NONE);
            assertThat(Thread.interrupted()).isTrue();
        }
        Thread.currentThread().interrupt();
        own(100);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(rows()).isEqualTo(7);
        reopen();
        assertThat(rows()).isEqualTo(7);
    }

    @Test
    void write_whenItCallsTheStoreAgain_isRefused() {
        assertThatIllegalStateException().isThrownBy(() -> store.write(ACME, _ -> by(1)))
                .withMessageContaining("must not call the store again");
        assertThatIllegalStateException().isThrownBy(() -> store.write(ACME, _ -> {
            store.close();
            return 0;
        })).withMessageContaining("must not close the store");
        assertThat(rows()).isOne();
    }

    @Test
    void write_whenItsCommitFails_isUnknownAndTheStoreEnds() {
        faults.set(point -> {
            if (point == Point.SYNC) {
                throw new IllegalStateException("no disk");
            }
        });
        assertThatThrownBy(() -> by(1)).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining("no disk");
        faults.set(Faults.NONE);
        assertThatThrownBy(() -> by(2)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(this::rows).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void write_whenAnotherCallerCommits_waitsForItsTurn() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<String>> others = new ArrayList<>();
            try (Gate gate = Gate.shut(store)) {
                for (int i = 0; i < 4; i++) {
                    int x = i;
                    others.add(threads.submit(() -> by(x)));
                }
                gate.open();
            }
            for (Future<String> other : others) {
                other.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(rows()).isEqualTo(5);
    }

    /** Few and many, on threads of both kinds, with pauses that let some find nobody and others company. */
    @Test
    void write_byThreadsOfBothKinds_losesNothingAndClosesInGoodOrder() throws Exception {
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        Set<String> committers = ConcurrentHashMap.newKeySet();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int caller = i;
            Runnable calls = () -> {
                try {
                    for (int x = caller * 10_000; x < (caller + 1) * 10_000; x++) {
                        committers.add(by(x).startsWith("store-commit") ? "thread" : "caller");
                        acknowledged.add(x);
                        if (x % (10 + 40 * caller) == 0) {
                            Thread.yield();
                        }
                    }
                } catch (StoreClosedException e) {
                    // So it ends.
                }
            };
            callers.add(caller % 3 == 2 ? Thread.ofVirtual().start(calls) : Thread.ofPlatform().start(calls));
        }
        Awaitility.await().until(() -> acknowledged.size() > 3000);
        data.close();
        for (Thread caller : callers) {
            caller.join();
        }
        open();
        List<Integer> there = store
                .read(snapshot -> snapshot.query("SELECT x FROM t WHERE x >= 0", row -> row.getInt(1)));
        assertThat(there).containsAll(acknowledged);
        assertThat(there.size() - acknowledged.size()).isZero();
        assertThat(committers).contains("thread");
    }
}
