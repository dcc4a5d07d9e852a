package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Faults;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.NotDoneException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What happens by itself, and what becomes of it when the store cannot be written to for a while. */
abstract class ClockworkContract extends QueueContract {
    /** Longer than the time after which something that failed is tried again. */
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    ClockworkContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    /** The n-th group from now on cannot be written; n from 1. */
    private void failGroup(int n) {
        AtomicInteger groups = new AtomicInteger();
        faults = point -> {
            if (point == Faults.Point.BEGUN && groups.incrementAndGet() == n) {
                throw NotDoneException.diskFull("the disk is full", null);
            }
        };
    }

    /** No group can be written. */
    private void failAll() {
        faults = point -> {
            if (point == Faults.Point.BEGUN) {
                throw NotDoneException.diskFull("the disk is full", null);
            }
        };
    }

    private void tickFails() {
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> queues.tick());
    }

    @Test
    void background_whenLeasesRunOutAndItemsAreDue_doesWhatIsToBeDone() {
        config = config.withBackground(true);
        open();
        ItemLease lease = putAndClaim(Q);
        ItemId delayed = put(item(R, "x").withAvailableAt(now().plusSeconds(30)));
        clocks.pass(TERM);
        eventually(() -> state(lease.item()) == ItemState.READY && state(delayed) == ItemState.READY);
    }

    @Test
    void background_whenTheDiskIsFullForAWhile_goesOnAfterwards() {
        config = config.withBackground(true);
        open();
        ItemLease lease = putAndClaim(Q);
        ItemId delayed = put(item(R, "x").withAvailableAt(now().plusSeconds(30)));
        AtomicInteger refused = new AtomicInteger();
        faults = point -> {
            if (point == Faults.Point.BEGUN) {
                refused.incrementAndGet();
                throw NotDoneException.diskFull("the disk is full", null);
            }
        };
        clocks.pass(TERM);
        eventually(() -> refused.get() >= 2);
        faults = Faults.NONE;
        eventually(() -> {
            clocks.pass(A_WHILE);
            return state(lease.item()) == ItemState.READY && state(delayed) == ItemState.READY;
        });
    }

    @Test
    void tick_whenExpiryFails_theLeaseRunsOutAWhileLater() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM);
        failAll();
        tickFails();
        faults = Faults.NONE;
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        passAndTick(A_WHILE);
        assertThat(view(lease.item()).deliveries()).isEqualTo(1);
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
    }

    @Test
    void tick_whenExpiryFails_theHolderMayStillEndIt() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM);
        failAll();
        tickFails();
        faults = Faults.NONE;
        queues.finish(lease);
        passAndTick(A_WHILE);
        assertThat(queues.find(lease.item())).isEmpty();
    }

    @Test
    void tick_whenExpiryFails_aRenewalGivesTheWholeTermAgain() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM);
        failAll();
        tickFails();
        faults = Faults.NONE;
        queues.renew(lease);
        passAndTick(TERM.minusNanos(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
    }

    @Test
    void tick_whenExpiryOfAnAdoptedLeaseFails_itStillDoesNotCount() {
        ItemLease lease = putAndClaim(Q);
        open();
        clocks.pass(TERM);
        failAll();
        tickFails();
        faults = Faults.NONE;
        passAndTick(A_WHILE);
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
        assertThat(view(lease.item()).deliveries()).isZero();
    }

    @Test
    void tick_whenExpiryFailsForOneOwner_theOthersAreDoneAndNoneIsForgotten() {
        ItemLease one = putAndClaim(Q);
        ItemLease other = putAndClaim(OTHER);
        clocks.pass(TERM);
        failGroup(1);
        tickFails();
        assertThat(List.of(state(one.item()), state(other.item()))).containsExactlyInAnyOrder(ItemState.HELD,
                ItemState.READY);
        passAndTick(A_WHILE);
        assertThat(state(one.item())).isEqualTo(ItemState.READY);
        assertThat(state(other.item())).isEqualTo(ItemState.READY);
    }

    @Test
    void tick_whenOneItemIsDamaged_theOthersOfItsOwnerExpireAllTheSame() {
        ItemLease damaged = putAndClaim(Q);
        ItemLease sound = putAndClaim(Q);
        long number = damaged.item().number();
        store().write(Q.owner(), tx -> tx.update("UPDATE item SET state = 2 WHERE id = ?", number));
        clocks.pass(TERM);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> queues.tick())
                .withMessageContaining("item " + number);
        assertThat(state(sound.item())).isEqualTo(ItemState.READY);
        store().write(Q.owner(), tx -> tx.update("UPDATE item SET state = 0 WHERE id = ?", number));
        passAndTick(A_WHILE);
        assertThat(state(damaged.item())).isEqualTo(ItemState.READY);
    }

    @Test
    void tick_whenExpiryFails_delayedItemsBecomeReadyAllTheSame() {
        putAndClaim(Q);
        ItemId delayed = put(item(R, "x").withAvailableAt(now().plusSeconds(1)));
        clocks.pass(TERM);
        failGroup(1);
        tickFails();
        assertThat(state(delayed)).isEqualTo(ItemState.READY);
    }

    @Test
    void tick_whenPromotionFails_isDoneTheNextTime() {
        ItemId delayed = put(item(Q, "x").withAvailableAt(now().plusSeconds(1)));
        queues.tick();
        clocks.pass(Duration.ofSeconds(1));
        failAll();
        tickFails();
        faults = Faults.NONE;
        queues.tick();
        assertThat(state(delayed)).isEqualTo(ItemState.READY);
    }

    /** The lease ran out, its end could not be written, and meanwhile the item went on to the next holder. */
    @Test
    void tick_whenExpiryFailsWhileTheItemGoesToAnotherHolder_thatOneIsNotDisturbed() {
        open(storeConfig().withLimits(new GroupLimits(1, 1 << 20, Duration.ofMillis(20), Duration.ZERO)));
        ItemLease first = putAndClaim(Q);
        clocks.pass(TERM);
        Crowd<List<Claimed>> second = new Crowd<>();
        Crowd<Object> others = new Crowd<>();
        Duration longer = TERM.multipliedBy(2);
        try (Gate _ = new Gate(store())) {
            failGroup(3);
            others.start(() -> fail(first, "e", RetryPolicy.fixed(Duration.ZERO, 9)));
            others.awaitWaiting();
            second.start(() -> claim(ClaimRequest.of(Q, "second", longer)));
            second.awaitWaiting();
            others.start(() -> {
                tickFails();
                return 0;
            });
            others.awaitWaiting();
        }
        others.results();
        faults = Faults.NONE;
        ItemLease current = second.results().getFirst().getFirst().lease();
        queues.renew(current);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(first));
        passAndTick(longer.minusNanos(1));
        assertThat(state(first.item())).isEqualTo(ItemState.HELD);
        queues.renew(current);
        passAndTick(longer);
        assertThat(state(first.item())).isEqualTo(ItemState.READY);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(current));
    }

    @Test
    void tick_whenCalledByManyThreads_doesEverythingOnce() {
        putMany(Q, 300);
        claim(Q, 300);
        clocks.pass(TERM);
        Crowd.run(8, _ -> {
            queues.tick();
            return 0;
        });
        assertThat(claim(Q, 1000)).hasSize(300).allSatisfy(claimed -> assertThat(claimed.deliveries()).isEqualTo(1));
    }
}
