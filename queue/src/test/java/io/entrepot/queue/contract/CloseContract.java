package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Faults;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The end of the queues: nobody is left waiting. */
abstract class CloseContract extends QueueContract {

    CloseContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private void assertAllEnded(Crowd<List<Claimed>> waiters) {
        assertThat(waiters.failures()).allSatisfy(failure -> assertThat(failure).hasValueSatisfying(e -> assertThat(e)
                .isInstanceOfSatisfying(StoreClosedException.class,
                        closed -> assertThat(closed.code()).isEqualTo("store.closed"))));
    }

    @Test
    void close_whenClaimsWait_endsThem() {
        Crowd<List<Claimed>> waiters = waiting(8, Q).awaitAsleep();
        Crowd<List<Claimed>> several = waiting(2, Q, R, OTHER).awaitAsleep();
        queues.close();
        assertAllEnded(waiters);
        assertAllEnded(several);
    }

    @Test
    void claim_whenClosed_isRefusedAndTakesNothing() {
        put(Q, "x");
        queues.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> claim(Q))
                .withMessageContaining("closed");
        assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(() -> claim(ClaimRequest.of(R, "w", TERM).waiting(LONG)));
        open();
        assertThat(counts(Q).ready()).isEqualTo(1);
    }

    @Test
    void close_whenCalledAgain_doesNothing() {
        queues.close();
        queues.close();
    }

    @Test
    void close_whenWorkIsHeld_itCanStillBeEnded() {
        ItemLease lease = putAndClaim(Q);
        queues.close();
        queues.finish(lease);
        open();
        assertThat(counts(Q).total()).isZero();
    }

    @Test
    void store_whenItClosesWhileClaimsWait_endsThem() {
        config = config.withBackground(true);
        open();
        Crowd<List<Claimed>> waiters = waiting(8, Q).awaitAsleep();
        store().close();
        assertAllEnded(waiters);
    }

    @Test
    void store_whenItFailsWhileClaimsWait_endsThem() {
        config = config.withBackground(true);
        open();
        Crowd<List<Claimed>> waiters = waiting(8, Q).awaitAsleep();
        faults = point -> {
            if (point == Faults.Point.COMMIT) {
                throw new IllegalStateException("the sync failed");
            }
        };
        // Unknown, or closed by the time it came if something else was committed first.
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> put(R, "x"));
        assertAllEnded(waiters);
    }

    @Test
    void tick_whenTheStoreIsClosed_endsTheClaimsThatWait() {
        Crowd<List<Claimed>> waiters = waiting(3, Q).awaitAsleep();
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> queues.tick());
        assertAllEnded(waiters);
    }

    @Test
    void anyCall_whenTheStoreIsClosed_isRefusedClearly() {
        ItemLease lease = putAndClaim(Q);
        store().close();
        List<Runnable> calls = List.of(() -> put(Q, "x"), () -> claim(Q), () -> queues.finish(lease),
                () -> queues.reset(lease.item()), () -> queues.retryDead(Q), () -> queues.pause(Q),
                () -> queues.status(Q), () -> queues.find(lease.item()), () -> queues.history(lease.item()),
                () -> queues.check());
        assertThat(calls).allSatisfy(call -> assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(call::run));
    }
}
