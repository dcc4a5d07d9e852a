package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import io.entrepot.store.Counter;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Requests of one operation are answered together, but each as if it were alone. */
abstract class CombinedContract extends StoreContract {
    private static final Counter COUNTER = new Counter("combined.test", 1);

    private final Inserts inserts = new Inserts();

    CombinedContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    /** Inserts the requested ids and answers with ten times the id. Negative ones are refused. */
    private static final class Inserts implements Operation<Long, Long> {
        final List<Integer> sizes = new CopyOnWriteArrayList<>();

        @Override
        public List<Long> run(Transaction tx, List<Long> requests) {
            sizes.add(requests.size());
            for (long id : requests) {
                insert(tx, id);
                tx.add(COUNTER, 1);
                tx.publish(ACME, "made", String.valueOf(id), "");
                if (id < 0) {
                    throw new IllegalArgumentException("negative: " + id);
                }
            }
            return requests.stream().map(id -> id * 10).toList();
        }
    }

    @Test
    void write_whenManyThreads_combinesRequestsAndGivesEachItsOwnResult() {
        Crowd.run(64, caller -> {
            for (long i = 0; i < 20; i++) {
                long id = caller * 20L + i;
                assertThat(store.write(ACME, inserts, id)).isEqualTo(id * 10);
            }
            return true;
        });
        assertThat(Collections.max(inserts.sizes)).isGreaterThan(1);
        assertThat(inserts.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(64 * 20);
        assertThat(ids()).isEqualTo(LongStream.range(0, 64 * 20).boxed().toList());
    }

    @Test
    void write_whenOneRequestIsBad_failsOnlyItsCallerAndRunsTheOthersAlone() {
        store.write(ACME, inserts, 500L);
        inserts.sizes.clear();
        Crowd<Long> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(20, caller -> store.write(ACME, inserts, switch (caller) {
                case 7 -> -7L;
                case 9 -> 500L;
                default -> (long) caller;
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        List<Outcome<Long>> outcomes = crowd.outcomes();
        for (int caller = 0; caller < 20; caller++) {
            switch (caller) {
                case 7 -> assertThat(outcomes.get(caller).failure()).hasMessage("negative: -7");
                case 9 -> assertThat(outcomes.get(caller).failure()).isInstanceOf(NotDoneException.class);
                default -> assertThat(outcomes.get(caller).value()).isEqualTo(caller * 10L);
            }
        }
        assertThat(inserts.sizes).contains(1);
        assertThat(ids()).hasSize(19).doesNotContain(-7L);
        assertThat(store.<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(19);
        assertThat(store.events().after(0, 100)).hasSize(19);
    }

    @Test
    void write_whenOperationAnswersTooFewOrTooMany_failsAndLeavesNothing() {
        Operation<Long, Long> few = (tx, requests) -> {
            requests.forEach(id -> insert(tx, id));
            return List.of();
        };
        Operation<Long, Long> many = (tx, requests) -> {
            requests.forEach(id -> insert(tx, id));
            return Collections.nCopies(requests.size() + 1, 0L);
        };
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store.write(ACME, few, 1L))
                .withMessageContaining("0 answers to 1 request");
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store.write(ACME, many, 1L))
                .withMessageContaining("2 answers to 1 request");
        assertThat(ids()).isEmpty();
    }

    @Test
    void write_whenTheOperationBeginsSomethingOfItsOwn_letsItsCallerBeginThatOnceForEachRequest() {
        Map<Long, List<Thread>> begun = new ConcurrentHashMap<>();
        Operation<Long, Long> operation = new Operation<>() {
            @Override
            public List<Long> run(Transaction tx, List<Long> requests) {
                return inserts.run(tx, requests);
            }

            @Override
            public void underWay(Long request) {
                begun.computeIfAbsent(request, _ -> new CopyOnWriteArrayList<>()).add(Thread.currentThread());
            }
        };
        Crowd.run(8, caller -> {
            for (long i = 0; i < 20; i++) {
                long id = caller * 20L + i;
                store.write(ACME, operation, id);
                assertThat(begun.get(id)).containsExactly(Thread.currentThread());
            }
            return true;
        });
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> store.write(ACME, operation, -1L));
        assertThat(begun.get(-1L)).containsExactly(Thread.currentThread());
        assertThat(begun).hasSize(161);
    }

    @Test
    void write_whenUnitsAndRequestsOfOneOwnerWait_keepsTheOrderOfOperationsFirstRequests() {
        Crowd<Long> crowd = new Crowd<>();
        List<String> ran = new CopyOnWriteArrayList<>();
        Operation<String, Long> noted = (_, requests) -> {
            ran.add(String.join("+", requests));
            return Collections.nCopies(requests.size(), 0L);
        };
        try (Gate gate = Gate.shut(store)) {
            for (String name : List.of("unit1", "a", "unit2", "b")) {
                crowd.start(() -> name.startsWith("unit") ? store.write(ACME, _ -> {
                    ran.add(name);
                    return 0L;
                }) : store.write(ACME, noted, name));
                crowd.awaitWaiting();
            }
            gate.open();
        }
        crowd.results();
        assertThat(ran).containsExactly("unit1", "a+b", "unit2");
    }
}
