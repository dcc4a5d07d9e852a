package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Faults.Point;
import io.entrepot.store.contract.Gate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who comes while a group is being run goes with it. */
class CompanyTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;
    private final AtomicInteger commits = new AtomicInteger();
    private DataDirectory data;
    private Store store;

    @BeforeEach
    void open() {
        GroupLimits unhurried = new GroupLimits(1024, 8 << 20, Duration.ofMinutes(1), Duration.ZERO);
        data = DataDirectory.open(root.resolve("data"), StoreConfig.of().withLimits(unhurried).withFaults(point -> {
            if (point == Point.COMMIT) {
                commits.incrementAndGet();
            }
        }));
        store = data.main();
        store.write(ACME, tx -> tx.update("CREATE TABLE t (x INTEGER PRIMARY KEY)"));
    }

    @AfterEach
    void close() {
        data.close();
    }

    private int insert(int x) {
        return store.write(ACME, tx -> tx.update("INSERT INTO t VALUES (?)", x));
    }

    private List<Integer> found() {
        return store.read(snapshot -> snapshot.query("SELECT x FROM t ORDER BY x", row -> row.getInt(1)));
    }

    @Test
    void write_whenOthersComeWhileItIsRun_isCommittedWithThem() {
        Crowd<Integer> others;
        int before = commits.get();
        try (Gate gate = Gate.shut(store, _ -> {})) {
            others = Crowd.start(5, this::insert).awaitWaiting();
            gate.open();
            assertThat(others.results()).hasSize(5);
        }
        assertThat(commits.get() - before).isEqualTo(1);
        assertThat(found()).hasSize(5);
    }

    @Test
    void write_whenOneOfThoseWhoComeLaterFails_theRestIsCommitted() {
        insert(3);
        Crowd<Integer> others;
        try (Gate gate = Gate.shut(store, tx -> tx.update("INSERT INTO t VALUES (100)"))) {
            others = Crowd.start(5, this::insert).awaitWaiting();
            gate.open();
            assertThat(others.outcomes()).filteredOn(outcome -> outcome.failure() != null).hasSize(1);
        }
        assertThat(found()).containsExactly(0, 1, 2, 3, 4, 100);
    }

    @Test
    void now_ofThoseWhoComeLater_isNotBeforeTheyCame() {
        Crowd<Long> other;
        long came;
        try (Gate gate = Gate.shut(store, _ -> {})) {
            long begun = store.now();
            while (store.now() < begun + 3) {
                Thread.onSpinWait();
            }
            came = store.now();
            other = Crowd.start(1, _ -> store.write(ACME, Transaction::now)).awaitWaiting();
            gate.open();
        }
        assertThat(other.results().getFirst()).isGreaterThanOrEqualTo(came);
    }
}
