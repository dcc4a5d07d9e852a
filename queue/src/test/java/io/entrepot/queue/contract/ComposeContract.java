package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.Ending;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.Queues;
import io.entrepot.store.Schema;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The queue's rows and the caller's own, in one transaction. */
abstract class ComposeContract extends QueueContract {
    private static final Schema TABLES = new Schema("compose", ComposeContract.class, 1);

    ComposeContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    @Override
    StoreConfig storeConfig() {
        return super.storeConfig().withSchemas(List.of(Queues.SCHEMA, TABLES));
    }

    private static void row(Transaction tx, String what) {
        tx.update("INSERT INTO ledger (what) VALUES (?)", what);
    }

    private List<String> rows() {
        return store().read(snapshot -> snapshot.query("SELECT what FROM ledger ORDER BY what",
                row -> row.getString(1)));
    }

    @Test
    void put_whenInTheCallersTransaction_isThereWithItsRows() {
        Crowd<List<io.entrepot.queue.Claimed>> waiter = waiting(1, Q).awaitAsleep();
        Placed placed = store().write(Q.owner(), tx -> {
            row(tx, "file");
            return queues.put(tx, item(Q, "x").withKey("k"));
        });
        assertThat(rows()).containsExactly("file");
        assertThat(waiter.results().getFirst().getFirst().item()).isEqualTo(placed.item());
    }

    @Test
    void put_whenTheCallerFails_isNotThereAndWakesNobody() {
        Crowd<List<io.entrepot.queue.Claimed>> waiter = waiting(1, Q).awaitAsleep();
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            row(tx, "file");
            queues.put(tx, item(Q, "x").withKey("k"));
            throw new ArithmeticException("the caller's own");
        }));
        assertThat(rows()).isEmpty();
        assertThat(counts(Q).total()).isZero();
        waiter.awaitAsleep();
        assertThat(queues.put(item(Q, "x").withKey("k")).created()).isTrue();
        assertThat(waiter.results().getFirst()).hasSize(1);
    }

    @Test
    void put_whenTheQueueIsNewAndTheCallerFails_theQueueIsNotThereEither() {
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.put(tx, item(Q, "x"));
            throw new ArithmeticException("the caller's own");
        }));
        assertThat(queues.status(Q)).isEmpty();
        put(Q, "x");
        assertThat(counts(Q).ready()).isEqualTo(1);
    }

    @Test
    void put_whenSeveralInOneTransaction_allAreThere() {
        store().write(Q.owner(), tx -> {
            queues.put(tx, item(Q, "a"));
            queues.put(tx, item(R, "b"));
            return queues.put(tx, item(Q, "c"));
        });
        assertThat(order(Q)).containsExactly("a", "c");
        assertThat(order(R)).containsExactly("b");
    }

    @Test
    void put_whenTheKeyConflicts_theCallersRowsAreRolledBack() {
        put(item(Q, "x").withKey("k"));
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            row(tx, "file");
            return queues.put(tx, item(Q, "y").withKey("k"));
        }));
        assertThat(rows()).isEmpty();
    }

    @Test
    void end_whenInTheCallersTransaction_isDoneWithItsRows() {
        ItemLease lease = putAndClaim(Q);
        Outcome outcome = store().write(Q.owner(), tx -> {
            row(tx, "done");
            return queues.end(tx, lease, EndContract.FINISH);
        });
        assertThat(outcome).isEqualTo(new Outcome(Outcome.Kind.FINISHED, now(), false));
        assertThat(rows()).containsExactly("done");
        assertThat(counts(Q).total()).isZero();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(lease));
    }

    @Test
    void end_whenTheCallerFails_theItemIsStillHeldAndTheTermStillCounts() {
        ItemLease lease = putAndClaim(Q);
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.end(tx, lease, EndContract.FINISH);
            throw new ArithmeticException("the caller's own");
        }));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 1, 0, 0, 0));
        queues.renew(lease);
        expireAll();
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
    }

    /** What is remembered in memory of leases knows nothing yet of what the same transaction has done to them. */
    @Test
    void end_whenTheSameTransactionHasEndedTheLease_isTheFirstOutcomeRepeated() {
        ItemLease lease = putAndClaim(Q);
        Outcome second = store().write(Q.owner(), tx -> {
            queues.end(tx, lease, new Ending.Release());
            return queues.end(tx, lease, EndContract.FINISH);
        });
        assertThat(second).isEqualTo(new Outcome(Outcome.Kind.RELEASED, now(), true));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertThat(queues.check()).isEmpty();
    }

    @Test
    void end_whenTheLeaseIsLost_theCallersRowsAreRolledBack() {
        ItemLease lease = putAndClaim(Q);
        expireAll();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            row(tx, "done");
            return queues.end(tx, lease, EndContract.FINISH);
        })).satisfies(e -> assertThat(e.fence()).isEqualTo(lease.fence()));
        assertThat(rows()).isEmpty();
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
    }

    /** The caller sees that its effects are there already, and leaves them. */
    @Test
    void end_whenRepeated_theCallerCanTell() {
        ItemLease lease = putAndClaim(Q);
        for (int i = 0; i < 3; i++) {
            store().write(Q.owner(), tx -> {
                Outcome outcome = queues.end(tx, lease, EndContract.FINISH);
                if (!outcome.repeated()) {
                    row(tx, "done");
                }
                return outcome;
            });
        }
        assertThat(rows()).containsExactly("done");
    }

    @Test
    void end_whenManyCallersRepeatAtOnce_oneAddsItsRows() {
        ItemLease lease = putAndClaim(Q);
        Crowd.run(32, caller -> store().write(Q.owner(), tx -> {
            Outcome outcome = queues.end(tx, lease, caller % 2 == 0 ? EndContract.FINISH : EndContract.RELEASE);
            if (!outcome.repeated()) {
                row(tx, "caller " + caller);
            }
            return outcome;
        }));
        assertThat(rows()).hasSize(1);
    }

    @Test
    void endAll_whenOfSeveralOwners_endsThoseThatAreCurrentWithTheCallersRows() {
        ItemLease lost = putAndClaim(Q);
        expireAll();
        queues.finish(claim(Q).lease());
        ItemLease mine = putAndClaim(Q);
        ItemLease also = putAndClaim(R);
        ItemLease others = putAndClaim(OTHER);
        List<Optional<Outcome>> outcomes = store().write(Q.owner(), tx -> {
            row(tx, "done");
            return queues.endAll(tx, List.of(mine, lost, others, also, mine), EndContract.FINISH);
        });
        Outcome first = new Outcome(Outcome.Kind.FINISHED, now(), false);
        assertThat(outcomes).containsExactly(Optional.of(first), Optional.empty(), Optional.of(first),
                Optional.of(first), Optional.of(new Outcome(Outcome.Kind.FINISHED, now(), true)));
        assertThat(rows()).containsExactly("done");
        assertThat(List.of(counts(Q).total(), counts(R).total(), counts(OTHER).total())).containsOnly(0L);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(others));
        assertThat(store().<List<?>>write(Q.owner(), tx -> queues.endAll(tx, List.of(), EndContract.FINISH)))
                .isEmpty();
    }

    @Test
    void endAll_whenTheCallerFails_allAreStillHeld() {
        List<ItemLease> leases = List.of(putAndClaim(Q), putAndClaim(OTHER));
        for (Ending ending : List.of(EndContract.FINISH, EndContract.KILL)) {
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
                assertThat(queues.endAll(tx, leases, ending)).doesNotContain(Optional.empty());
                throw new ArithmeticException("the caller's own");
            }));
        }
        leases.forEach(queues::renew);
        assertThat(List.of(counts(Q), counts(OTHER))).containsOnly(new QueueCounts(0, 1, 0, 0, 0));
    }

    @Test
    void endAll_whenTooMany_isRefused() {
        List<ItemLease> many = Collections.nCopies(1001, putAndClaim(Q));
        assertThatIllegalArgumentException().isThrownBy(
                () -> store().write(Q.owner(), tx -> queues.endAll(tx, many, EndContract.FINISH)))
                .withMessageContaining("not 1001");
    }

    /** One item is done and the next one put: both or neither. */
    @Test
    void endAndPut_whenInOneTransaction_handTheWorkOn() {
        ItemLease lease = putAndClaim(Q);
        store().write(Q.owner(), tx -> {
            queues.end(tx, lease, EndContract.FINISH);
            return queues.put(tx, item(R, "the next stage"));
        });
        assertThat(counts(Q).total()).isZero();
        assertThat(order(R)).containsExactly("the next stage");
        ItemLease again = claim(R).lease();
        queues.reset(again.item());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.put(tx, item(Q, "must not be there"));
            return queues.end(tx, again, EndContract.FINISH);
        }));
        assertThat(counts(Q).total()).isZero();
    }

    @Test
    void put_whenInTheSameTransactionAsItsEnd_orderDoesNotMatter() {
        ItemLease lease = putAndClaim(Q);
        store().write(Q.owner(), tx -> {
            Outcome released = queues.end(tx, lease, EndContract.RELEASE);
            assertThat(queues.end(tx, lease, EndContract.FINISH))
                    .isEqualTo(new Outcome(released.kind(), released.at(), true));
            return 0;
        });
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
    }
}
