package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A holder that goes on. */
abstract class RenewContract extends QueueContract {

    RenewContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private void assertLost(ItemLease lease) {
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(lease)).satisfies(e -> {
            assertThat(e.code()).isEqualTo("lease.lost");
            assertThat(e).hasMessageContaining(lease.item().toString());
        });
    }

    @Test
    void renew_whenCurrent_beginsTheWholeTermAnew() {
        ItemLease lease = putAndClaim(Q);
        for (int i = 0; i < 10; i++) {
            passAndTick(TERM.minusNanos(1));
            assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
            queues.renew(lease);
        }
        expireAll();
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
    }

    @Test
    void renew_whenCurrent_writesNothing() {
        ItemLease lease = putAndClaim(Q);
        AtomicInteger groups = new AtomicInteger();
        faults = point -> groups.addAndGet(point == Faults.Point.BEGUN ? 1 : 0);
        for (int i = 0; i < 1000; i++) {
            queues.renew(lease);
        }
        assertThat(groups).hasValue(0);
        put(Q, "shows that commits are counted");
        assertThat(groups).hasValue(1);
    }

    @Test
    void renew_whenTheTermIsOverButNobodyNoticed_goesOn() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM.multipliedBy(3));
        queues.renew(lease);
        queues.tick();
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
    }

    @Test
    void renew_whenTheLeaseRanOut_isRefused() {
        ItemLease lease = putAndClaim(Q);
        expireAll();
        assertLost(lease);
        ItemLease next = claim(Q).lease();
        assertLost(lease);
        queues.renew(next);
    }

    @ParameterizedTest
    @MethodSource("io.entrepot.queue.contract.EndContract#endings")
    void renew_whenEnded_isRefused(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        queues.end(lease, ending);
        assertLost(lease);
    }

    @Test
    void renew_whenReset_isRefused() {
        ItemLease lease = putAndClaim(Q);
        queues.reset(lease.item());
        assertLost(lease);
    }

    @Test
    void renew_whenClaimedAgain_isRefusedForTheOldAndDoneForTheNewHolder() {
        ItemLease old = putAndClaim(Q);
        fail(old, "e", RetryPolicy.fixed(Duration.ZERO, 9));
        ItemLease current = claim(Q).lease();
        assertLost(old);
        queues.renew(current);
    }

    @Test
    void renew_whenNotTheFence_isRefused() {
        ItemLease lease = putAndClaim(Q);
        Fence fence = lease.fence();
        assertLost(new ItemLease(lease.item(), new Fence(fence.epoch(), fence.nonce() + 1)));
        assertLost(new ItemLease(lease.item(), new Fence(fence.epoch().next(), fence.nonce())));
        assertLost(new ItemLease(new ItemId(OTHER.owner(), lease.item().number()), fence));
        assertLost(new ItemLease(new ItemId(Q.owner(), lease.item().number() + 1), fence));
        assertLost(new ItemLease(new ItemId(Q.owner(), Long.MAX_VALUE), new Fence(new Epoch(Long.MAX_VALUE), 0)));
        queues.renew(lease);
    }

    @Test
    void renew_whenRestartedSince_goesOn() {
        ItemLease lease = putAndClaim(Q);
        open();
        queues.renew(lease);
        passAndTick(TERM.minusNanos(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
    }

    @Test
    void renew_whenTermsDiffer_eachHasItsOwn() {
        put(Q, "short");
        put(Q, "long");
        ItemLease brief = claim(ClaimRequest.of(Q, "brief", Duration.ofMillis(10))).getFirst().lease();
        ItemLease lengthy = claim(ClaimRequest.of(Q, "lengthy", Duration.ofDays(30))).getFirst().lease();
        clocks.pass(Duration.ofMillis(9));
        queues.renew(brief);
        queues.renew(lengthy);
        passAndTick(Duration.ofMillis(9));
        assertThat(counts(Q).held()).isEqualTo(2);
        passAndTick(Duration.ofMillis(1));
        assertThat(state(brief.item())).isEqualTo(ItemState.READY);
        assertThat(state(lengthy.item())).isEqualTo(ItemState.HELD);
        passAndTick(Duration.ofDays(30));
        assertThat(state(lengthy.item())).isEqualTo(ItemState.READY);
    }
}
