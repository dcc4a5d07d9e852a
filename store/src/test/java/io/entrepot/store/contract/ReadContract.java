package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.lab.Crowd;
import io.entrepot.store.NotDoneException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Readers see one committed state, and wait for nobody who writes. */
abstract class ReadContract extends StoreContract {

    ReadContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @Test
    void read_whenOthersWrite_seesOneStateThroughout() {
        store.write(ACME, tx -> insert(tx, 1, 1000) + insert(tx, 2, 0));
        AtomicBoolean done = new AtomicBoolean();
        Crowd<Integer> readers = Crowd.start(6, _ -> {
            int reads = 0;
            do {
                long sum = store.read(snapshot -> {
                    long one = snapshot.first("SELECT n FROM item WHERE id = 1", row -> row.getLong(1)).orElseThrow();
                    Thread.onSpinWait();
                    return one + snapshot.first("SELECT n FROM item WHERE id = 2", row -> row.getLong(1)).orElseThrow();
                });
                assertThat(sum).isEqualTo(1000);
                reads++;
            } while (!done.get());
            return reads;
        });
        Crowd.start(8, _ -> {
            for (int i = 0; i < 50; i++) {
                store.write(ACME, tx -> tx.update("UPDATE item SET n = n - 1 WHERE id = 1")
                        + tx.update("UPDATE item SET n = n + 1 WHERE id = 2"));
            }
            return 0;
        }).results();
        done.set(true);
        assertThat(readers.results()).allSatisfy(reads -> assertThat(reads).isPositive());
    }

    @Test
    void read_whenWriterHoldsItsGroupOpen_returnsWhatIsCommitted() {
        store.write(ACME, tx -> insert(tx, 1));
        try (Gate gate = Gate.shut(store, tx -> insert(tx, 2))) {
            assertThat(ids()).containsExactly(1L);
            gate.open();
            assertThat(gate.outcome().succeeded()).isTrue();
        }
        assertThat(ids()).containsExactly(1L, 2L);
    }

    @Test
    void read_whenItThrows_givesTheCallerWhatWasThrownAndGoesOn() {
        for (int i = 0; i < 20; i++) { // more often than there are readers
            assertThatIllegalStateException().isThrownBy(() -> store.read(_ -> {
                throw new IllegalStateException("as you wish");
            })).withMessage("as you wish");
            assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> store.read(_ -> {
                throw new AssertionError("as you wish");
            }));
            assertThatExceptionOfType(NotDoneException.class)
                    .isThrownBy(() -> store.read(snapshot -> snapshot.query("SELECT nothing", row -> row.getLong(1))));
        }
        assertThat(ids()).isEmpty();
    }

    @Test
    void read_whenItWrites_isRefused() {
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> store.read(
                snapshot -> snapshot.query("INSERT INTO item (id, n) VALUES (1, 1) RETURNING id",
                        row -> row.getLong(1))));
        assertThat(ids()).isEmpty();
    }

    @Test
    void read_whenCalledFromWithinReading_isRefused() {
        assertThat(Crowd.start(20, _ -> store.<Long>read(_ -> store.read(inner -> inner.now()))).failures())
                .allSatisfy(failure -> assertThat(failure).containsInstanceOf(IllegalStateException.class));
        assertThatIllegalStateException().isThrownBy(() -> store.read(_ -> {
            store.close();
            return 0;
        }));
        assertThat(ids()).isEmpty();
    }

    @Test
    void read_whenInterrupted_isFinishedAndStaysInterrupted() {
        Crowd<Boolean> crowd = Crowd.start(1, _ -> {
            Thread.currentThread().interrupt();
            assertThat(ids()).isEmpty();
            return Thread.currentThread().isInterrupted();
        });
        assertThat(crowd.results()).containsExactly(true);
    }

    @Test
    void read_whenWriteHasReturned_seesIt() {
        Crowd.start(16, caller -> {
            for (long i = 0; i < 20; i++) {
                long id = caller * 20L + i;
                store.write(ACME, tx -> insert(tx, id));
                assertThat(store.<Boolean>read(snapshot -> snapshot
                        .first("SELECT id FROM item WHERE id = ?", row -> row.getLong(1), id).isPresent())).isTrue();
            }
            return 0;
        }).results();
    }
}
