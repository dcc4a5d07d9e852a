package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Counter;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What goes on beside a unit of work, and what becomes of the unit. */
abstract class MeanwhileContract extends StoreContract {
    private static final Counter COUNTER = new Counter("meanwhile", 1);

    MeanwhileContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    private record Other(boolean well, CountDownLatch end, Consumer<Transaction> undoing) implements Meanwhile {
        @Override
        public boolean hasEnded() {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return well;
        }

        @Override
        public void undo(Transaction tx) {
            undoing.accept(tx);
        }
    }

    private static Other ended(boolean well, Consumer<Transaction> undoing) {
        return new Other(well, new CountDownLatch(0), undoing);
    }

    private int insert(int id, Meanwhile other) {
        return store.write(ACME, tx -> {
            insert(tx, id);
            tx.add(COUNTER, 1);
            tx.publish(ACME, "inserted", "x", "{}");
            tx.meanwhile(other);
            return id;
        });
    }

    private static Consumer<Transaction> deletes(int id) {
        return tx -> {
            assertThat(tx.update("DELETE FROM item WHERE id = ?", id)).isOne();
            tx.add(COUNTER, -1);
            tx.publish(ACME, "deleted", "x", "{}");
        };
    }

    @Test
    void unit_whenWhatGoesOnBesideHasNotEnded_isSeenByNobody() {
        Other other = new Other(true, new CountDownLatch(1), _ -> {});
        Crowd<Integer> writer = Crowd.start(1, _ -> insert(7, other)).awaitWaiting();
        Crowd<List<Long>> reader = Crowd.<List<Long>>start(1, _ -> ids()).awaitWaiting();
        assertThat(store.events().last()).isZero();
        assertThat(writer.done()).isZero();
        assertThat(reader.allDone() ? reader.results().getFirst() : List.of()).isEmpty();
        other.end.countDown();
        assertThat(writer.results()).containsExactly(7);
        assertThat(reader.results().getFirst()).isIn(List.of(), List.of(7L)); // where commits are seen at once, it was not committed yet
        assertThat(ids()).containsExactly(7L);
    }

    @Test
    void unit_whenWhatGoesOnBesideFails_isUndoneBeforeItsCallerHears() {
        List<Integer> answers = Crowd.run(12, caller -> {
            int answer = insert(caller, ended(caller % 3 != 0, deletes(caller)));
            if (caller % 3 == 0) {
                assertThat(ids()).doesNotContain((long) caller);
            }
            return answer;
        });
        assertThat(answers).hasSize(12);
        assertThat(ids()).containsExactly(1L, 2L, 4L, 5L, 7L, 8L, 10L, 11L);
        long counted = store.write(ACME, tx -> tx.count(COUNTER));
        assertThat(counted).isEqualTo(8);
        assertThat(store.events().after(0, 100)).hasSize(16);
        reopen(config());
        assertThat(ids()).hasSize(8);
        assertThat(store.<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(8);
    }

    @Test
    void unit_thatIsUndone_hasItsEffectsAndThenThoseOfTheUndoing() {
        AtomicInteger state = new AtomicInteger();
        store.write(ACME, tx -> {
            insert(tx, 1);
            tx.afterCommit(() -> state.set(1));
            tx.meanwhile(ended(false, undoing -> {
                deletes(1).accept(undoing);
                undoing.afterCommit(() -> state.compareAndSet(1, 2));
            }));
            return 1;
        });
        assertThat(state).hasValue(2);
    }

    @Test
    void unit_whenItFails_waitsForNothing() {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store.write(ACME, tx -> {
            tx.meanwhile(new Other(false, new CountDownLatch(1), _ -> {}));
            throw new IllegalStateException("no");
        })).withMessage("no");
        assertThat(ids()).isEmpty();
    }

    @Test
    void unit_whenTheUndoingFails_isNotToldAsDone() {
        Meanwhile stubborn = ended(false, _ -> {
            throw new IllegalStateException("cannot be undone");
        });
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> insert(1, stubborn))
                .satisfies(e -> assertThat(e instanceof OutcomeUnknownException || ids().isEmpty()).isTrue());
    }
}
