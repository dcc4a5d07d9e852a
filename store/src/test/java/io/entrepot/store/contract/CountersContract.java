package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Counter;
import io.entrepot.store.Faults.Point;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Numbers kept in step with the rows they count. */
abstract class CountersContract extends StoreContract {
    private static final Counter ROWS = new Counter("rows", 7);
    private static final Counter SEQUENCE = new Counter("sequence", -1);

    CountersContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    private long count(Counter counter) {
        return store.read(snapshot -> snapshot.count(counter));
    }

    @Test
    void count_whenManyThreadsAddAndSomeFail_isExact() {
        AtomicInteger kept = new AtomicInteger();
        Crowd.start(64, caller -> {
            for (int i = 0; i < 20; i++) {
                long id = caller * 20L + i;
                boolean fails = id % 3 == 0;
                try {
                    store.write(ACME, tx -> {
                        insert(tx, id);
                        long before = tx.count(ROWS);
                        tx.add(ROWS, 2);
                        tx.add(ROWS, -1);
                        assertThat(tx.count(ROWS)).isEqualTo(before + 1);
                        assertThat(tx.first("SELECT count(*) FROM item", row -> row.getLong(1))).contains(before + 1);
                        if (fails) {
                            throw new IllegalStateException("no");
                        }
                        return 0;
                    });
                    kept.incrementAndGet();
                } catch (IllegalStateException e) {
                    assertThat(fails).isTrue();
                }
            }
            return 0;
        }).results();
        assertThat(kept).hasValue(64 * 20 * 2 / 3);
        for (int life = 0; life < 3; life++) {
            assertThat(count(ROWS)).isEqualTo(kept.get()).isEqualTo(ids().size());
            assertThat(store.<Long>write(ACME, tx -> tx.count(ROWS))).isEqualTo(kept.get());
            if (life == 0) {
                reopen();
            } else {
                crash();
            }
        }
    }

    @Test
    void count_whenNeverAdded_isZero() {
        assertThat(count(ROWS)).isZero();
        assertThat(store.<Long>write(ACME, tx -> tx.count(ROWS))).isZero();
    }

    @Test
    void count_whenGroupIsGivenUp_isAsBefore() {
        store.write(ACME, tx -> {
            tx.add(ROWS, 5);
            return tx.count(ROWS);
        });
        faults = point -> {
            if (point == Point.BEGUN) {
                throw new IllegalStateException("no");
            }
        };
        assertThat(Crowd.start(3, _ -> store.write(ACME, tx -> {
            tx.add(ROWS, 1);
            return 0;
        })).failures()).doesNotContain(Optional.empty());
        faults = _ -> {};
        assertThat(store.<Long>write(ACME, tx -> tx.count(ROWS))).isEqualTo(5);
        assertThat(count(ROWS)).isEqualTo(5);
    }

    @Test
    void counters_whenThereAreMany_areKeptApart() {
        for (int from = 0; from < 30_000; from += 10_000) {
            int first = from;
            store.write(ACME, tx -> {
                for (int id = first; id < first + 10_000; id++) {
                    tx.add(new Counter("many", id), id);
                    tx.add(new Counter("other", id), -id);
                }
                return 0;
            });
        }
        store.write(ACME, tx -> {
            for (int id = 0; id < 30_000; id += 1000) {
                assertThat(tx.count(new Counter("many", id))).isEqualTo(id);
                tx.add(new Counter("many", id), 1);
            }
            return 0;
        });
        reopen();
        assertThat(count(new Counter("many", 29_000))).isEqualTo(29_001);
        assertThat(count(new Counter("many", 29_001))).isEqualTo(29_001);
        assertThat(count(new Counter("other", 29_000))).isEqualTo(-29_000);
    }

    @Test
    void next_whenManyThreadsAndCrashes_neverRepeats() {
        Set<Long> taken = ConcurrentHashMap.newKeySet();
        for (int life = 0; life < 4; life++) {
            Crowd.start(16, caller -> {
                for (int i = 0; i < 10; i++) {
                    int n = 1 + (caller + i) % 3;
                    long first = store.write(ACME, tx -> tx.next(SEQUENCE, n));
                    for (long number = first; number < first + n; number++) {
                        assertThat(taken.add(number)).isTrue();
                    }
                }
                return 0;
            }).results();
            crash();
        }
        Set<Long> expected = new HashSet<>();
        for (long number = 1; number <= taken.size(); number++) {
            expected.add(number);
        }
        assertThat(taken).isEqualTo(expected);
    }

    @Test
    void next_whenCalledTwiceInOneUnit_goesOn() {
        List<Long> firsts = store.write(ACME,
                tx -> List.of(tx.next(SEQUENCE, 3), tx.next(SEQUENCE, 1), tx.next(SEQUENCE, 1)));
        assertThat(firsts).containsExactly(1L, 4L, 5L);
    }

    @Test
    void add_whenCounterHasNoName_failsOnlyItsUnit() {
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(2, caller -> store.write(ACME, tx -> {
                tx.add(caller == 0 ? new Counter(null, 1) : ROWS, 1);
                return caller;
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes()).extracting(Crowd.Outcome::succeeded).containsExactly(false, true);
    }
}
