package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Counter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What runs after a commit. */
abstract class EffectsContract extends StoreContract {
    private static final Counter SEQUENCE = new Counter("effects.test", 1);

    EffectsContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @Test
    void effect_whenUnitCommits_runsAfterDurabilityAndBeforeTheAnswer() {
        List<String> seen = new CopyOnWriteArrayList<>();
        faults = point -> seen.add(point.name());
        store.write(ACME, tx -> {
            tx.afterCommit(() -> seen.add("first"));
            tx.afterCommit(() -> seen.add("second"));
            return insert(tx, 1);
        });
        seen.add("answered");
        assertThat(seen).containsSubsequence("BEGUN", "COMMIT", "COMMITTED", "first", "second", "ANSWER", "answered");
    }

    @Test
    void effect_whenManyThreads_hasRunForEachWhenItGetsItsAnswer() {
        Crowd.start(64, _ -> {
            for (int i = 0; i < 20; i++) {
                AtomicBoolean ran = new AtomicBoolean();
                store.write(ACME, tx -> {
                    tx.afterCommit(() -> ran.set(true));
                    return 0;
                });
                assertThat(ran).isTrue();
            }
            return 0;
        }).results();
    }

    @Test
    void effects_whenManyThreads_runInCommitOrderOneAtATime() {
        List<Long> order = new ArrayList<>(); // not safe for several threads at a time, on purpose
        Crowd.start(32, caller -> {
            for (int i = 0; i < 20; i++) {
                boolean fails = (caller + i) % 7 == 0;
                try {
                    store.write(ACME, tx -> {
                        long n = tx.next(SEQUENCE, 1);
                        tx.afterCommit(() -> order.add(n));
                        if (fails) {
                            throw new IllegalStateException("no");
                        }
                        return 0;
                    });
                } catch (IllegalStateException e) {
                    assertThat(fails).isTrue();
                }
            }
            return 0;
        }).results();
        long n = store.read(snapshot -> snapshot.count(SEQUENCE));
        assertThat(order).isEqualTo(LongStream.rangeClosed(1, n).boxed().toList());
    }

    @Test
    void effect_whenItThrows_harmsNobody() {
        AtomicBoolean next = new AtomicBoolean();
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(4, caller -> store.write(ACME, tx -> {
                switch (caller) {
                    case 0 -> tx.afterCommit(() -> {
                        throw new IllegalStateException("an effect that throws");
                    });
                    case 1 -> tx.afterCommit(() -> {
                        throw new AssertionError("an effect that throws an error");
                    });
                    case 2 -> tx.afterCommit(null);
                    default -> tx.afterCommit(() -> next.set(true));
                }
                return insert(tx, caller);
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes()).extracting(Crowd.Outcome::succeeded).containsExactly(true, true, false, true);
        assertThat(next).isTrue();
        assertThat(ids()).containsExactly(0L, 1L, 3L);
        assertThat(store.<Integer>write(ACME, tx -> insert(tx, 10))).isEqualTo(1);
    }
}
