package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import io.entrepot.store.Advice;
import io.entrepot.store.Cost;
import io.entrepot.store.Counter;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units of work: to each its own outcome, all of it or nothing. */
abstract class WriteContract extends StoreContract {
    private static final Counter COUNTER = new Counter("write.test", 1);

    WriteContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @Test
    void write_whenManyThreads_givesEachItsOwnResult() {
        List<List<Long>> all = Crowd.run(64, caller -> {
            List<Long> results = new ArrayList<>();
            for (long i = 0; i < 20; i++) {
                long id = caller * 20L + i;
                results.add(store.write(ACME, tx -> insert(tx, id) * id));
            }
            return results;
        });
        for (int caller = 0; caller < all.size(); caller++) {
            assertThat(all.get(caller)).isEqualTo(LongStream.range(caller * 20L, caller * 20L + 20).boxed()
                    .toList());
        }
        reopen();
        assertThat(ids()).isEqualTo(LongStream.range(0, 64 * 20).boxed().toList());
    }

    @Test
    void write_whenUnitsOfOneGroupFail_throwsToEachItsOwnAndKeepsTheOthers() {
        store.write(ACME, tx -> insert(tx, 1000));
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(50, caller -> store.write(ACME, tx -> switch (caller % 5) {
                case 0 -> insert(tx, caller);
                case 1 -> throw new IllegalArgumentException("argument " + caller + insert(tx, caller));
                case 2 -> insert(tx, caller) + insert(tx, 1000);
                case 3 -> throw new AssertionError("error " + caller + insert(tx, caller));
                default -> throw sneaky(new IOException("checked " + caller + insert(tx, caller)));
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        List<Outcome<Integer>> outcomes = crowd.outcomes();
        for (int caller = 0; caller < outcomes.size(); caller++) {
            Outcome<Integer> outcome = outcomes.get(caller);
            switch (caller % 5) {
                case 0 -> assertThat(outcome.value()).isEqualTo(1);
                case 1 -> assertThat(outcome.failure()).isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("argument " + caller + 1);
                case 2 -> assertThat(outcome.failure()).isInstanceOfSatisfying(NotDoneException.class, e -> {
                    assertThat(e.code()).isEqualTo("store.refused");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                });
                case 3 -> assertThat(outcome.failure()).isInstanceOf(AssertionError.class)
                        .hasMessage("error " + caller + 1);
                default -> assertThat(outcome.failure()).hasRootCauseMessage("checked " + caller + 1);
            }
        }
        assertThat(ids()).isEqualTo(LongStream.iterate(0, i -> i <= 1000, i -> i == 45 ? 1000 : i + 5).boxed()
                .toList());
    }

    /** Throws a checked exception from where none is declared, as generics and other languages allow. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
        throw (E) e;
    }

    @Test
    void write_whenUnitFails_leavesNothingOfIt() {
        AtomicInteger effects = new AtomicInteger();
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(30, caller -> store.write(ACME, tx -> {
                everything(tx, caller, effects);
                if (caller % 3 != 0) {
                    throw new IllegalStateException("no");
                }
                return caller;
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes()).filteredOn(Outcome::succeeded).hasSize(10);
        for (int life = 1; life <= 2; life++) {
            assertThat(ids()).isEqualTo(LongStream.iterate(0, i -> i < 30, i -> i + 3).boxed().toList());
            assertThat(store.<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(10);
            assertThat(store.events().after(0, 100)).hasSize(10)
                    .allSatisfy(event -> assertThat(Integer.parseInt(event.subject()) % 3).isZero());
            assertThat(effects).hasValue(10);
            reopen();
        }
    }

    private static void everything(Transaction tx, int id, AtomicInteger effects) {
        insert(tx, id);
        tx.add(COUNTER, 1);
        tx.publish(ACME, "made", String.valueOf(id), "{}");
        tx.afterCommit(effects::incrementAndGet);
    }

    @Test
    void write_whenResultIsNull_returnsNull() {
        assertThat(store.<Object>write(ACME, _ -> null)).isNull();
    }

    @Test
    void write_whenUnitSwallowsWhatWasThrownAtAnotherStore_isKept() {
        // An exception of our own kind says nothing about this store if it does not come from this transaction.
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(2, caller -> store.write(ACME, tx -> {
                insert(tx, caller);
                if (caller == 0) {
                    throw NotDoneException.diskFull("another disk is full", null);
                }
                return caller;
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes().get(0).failure()).hasMessage("another disk is full");
        assertThat(crowd.outcomes().get(1).value()).isEqualTo(1);
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void write_whenCalledFromWithinUnit_isRefused() {
        int inserted = store.write(ACME, tx -> {
            assertThatIllegalStateException().isThrownBy(() -> store.write(ACME, inner -> insert(inner, 2)));
            assertThatIllegalStateException().isThrownBy(() -> store.read(snapshot -> snapshot.now()));
            assertThatIllegalStateException().isThrownBy(() -> store.compact());
            assertThatIllegalStateException().isThrownBy(() -> store.check());
            assertThatIllegalStateException().isThrownBy(() -> store.close());
            return insert(tx, 1);
        });
        assertThat(inserted).isEqualTo(1);
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void write_whenInterrupted_isFinishedAndStaysInterrupted() {
        Crowd<Boolean> crowd = new Crowd<>();
        try (Gate gate = Gate.shut(store)) {
            Thread caller = crowd.start(() -> {
                store.write(ACME, tx -> insert(tx, 1));
                return Thread.currentThread().isInterrupted();
            });
            crowd.awaitWaiting();
            caller.interrupt();
            crowd.start(() -> {
                Thread.currentThread().interrupt();
                store.write(ACME, tx -> insert(tx, 2));
                return Thread.currentThread().isInterrupted();
            });
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.results()).containsExactly(true, true);
        assertThat(ids()).containsExactly(1L, 2L);
    }

    @Test
    void write_whenUnitsThrowTheSameExceptionAgainAndAgain_itDoesNotGrow() {
        IllegalStateException same = new IllegalStateException("always this one");
        for (int i = 0; i < 10; i++) {
            assertThatIllegalStateException().isThrownBy(() -> store.write(ACME, _ -> {
                throw same;
            })).satisfies(e -> assertThat(e.getSuppressed()).hasSizeLessThan(2));
        }
    }

    @Test
    void write_whenOwnerOrCostIsMissing_isRefusedAndTheStoreGoesOn() {
        Operation<Long, Long> priceless = new Operation<>() {
            @Override
            public List<Long> run(Transaction tx, List<Long> requests) {
                return requests;
            }

            @Override
            public Cost cost(Long request) {
                return null;
            }
        };
        assertThatNullPointerException().isThrownBy(() -> store.write(null, tx -> insert(tx, 1)));
        assertThatNullPointerException().isThrownBy(() -> store.write(ACME, priceless, 1L));
        assertThat(store.<Integer>write(ACME, tx -> insert(tx, 1))).isEqualTo(1);
    }

    @Test
    void write_whenSqlIsWrong_saysSo() {
        assertThatExceptionOfType(NotDoneException.class)
                .isThrownBy(() -> store.write(ACME, tx -> tx.update("INSERT INTO nowhere VALUES (1)")))
                .withMessageContaining("nowhere")
                .satisfies(e -> assertThat(e.code()).isEqualTo("store.refused"));
    }

    @Test
    void update_whenArgumentsDoNotFit_isRefusedEvenIfTheStatementRanBefore() {
        store.write(ACME, tx -> insert(tx, 1, 7));
        String sql = "INSERT INTO item (id, n) VALUES (?, ?)";
        for (Object[] args : new Object[][]{{}, {2L}, {2L, 3L, 4L}}) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> store.write(ACME, tx -> tx.update(sql, args)));
        }
        assertThat(ids()).containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 63, 64, 65, 255, 256, 257, 1000})
    void updateEach_whenAnyNumberOfRows_changesEachOnce(int n) {
        List<Object[]> rows = IntStream.range(0, n).mapToObj(i -> new Object[]{(long) i, i + 100L}).toList();
        assertThat(store.<Integer>write(ACME, tx -> tx.updateEach("INSERT INTO item (id, n) VALUES $rows", rows)))
                .isEqualTo(n);
        assertThat(ids()).hasSize(n);
        List<Long> found = store.read(snapshot -> snapshot.queryEach("WITH wanted (id, n) AS (VALUES $rows)"
                + " SELECT item.id FROM item JOIN wanted ON wanted.id = item.id AND wanted.n = item.n WHERE item.n < ?",
                row -> row.getLong(1), rows, 1_000_000L));
        assertThat(found).containsExactlyInAnyOrderElementsOf(ids());
    }

    @Test
    void updateEach_whenRowsHaveOtherWidthsThanBefore_takesThem() {
        String sql = "WITH wanted AS (VALUES $rows) SELECT count(*) FROM wanted";
        for (int width = 1; width <= 3; width++) {
            Object[] row = Collections.nCopies(width, 1L).toArray();
            List<Long> counts = store.read(snapshot -> snapshot.queryEach(sql, r -> r.getLong(1), List.of(row, row)));
            assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(2);
        }
    }
}
