package io.entrepot.queue.contract;

import static io.entrepot.queue.contract.QueueContract.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.PostgresServer;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A lease that one process has granted, at the others, and when that process is gone. */
class SharedLeasesTest extends SharedQueues {

    @Test
    void finish_ofALeaseThatAnotherProcessHasGranted_isAsAnyOther() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        assertThat(b.queues().finish(lease).kind()).isEqualTo(Outcome.Kind.FINISHED);
        assertThat(a.queues().finish(lease).repeated()).isTrue();
        assertThat(a.queues().find(lease.item())).isEmpty();
        a.live(TERM);
    }

    @Test
    void renew_atAnotherProcess_givesTheWholeTermAgain() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        a.live(TERM.minusSeconds(1));
        b.queues().renew(lease);
        a.live(TERM);
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        a.live(TERM);
        assertThat(a.state(lease)).isEqualTo(ItemState.READY);
        assertThat(a.view(lease).deliveries()).isOne();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> b.queues().renew(lease));
    }

    /** As behind a load balancer: each renewal at another one. */
    @Test
    void renew_inTurnsAtSeveralProcesses_keepsTheLease() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        for (int i = 0; i < 4; i++) {
            bothLive(TERM.minusSeconds(1));
            (i % 2 == 0 ? b : a).queues().renew(lease);
        }
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        assertThat(a.queues().finish(lease).repeated()).isFalse();
    }

    @Test
    void renew_whenAnotherProcessHasResetTheItem_isRefused() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        b.queues().reset(lease.item());
        eventually(() -> !a.renews(lease));
        // Whoever has it now is not disturbed.
        ItemLease next = a.claim();
        assertThat(next.item()).isEqualTo(lease.item());
        a.queues().renew(next);
    }

    @Test
    void renew_whenAnotherProcessHasRemovedTheItem_isRefused() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        assertThat(b.store().<Boolean>write(Q.owner(),
                tx -> b.queues().remove(tx, lease.item(), Set.of(ItemState.HELD), "unwanted"))).isTrue();
        eventually(() -> !a.renews(lease));
    }

    /** As if the notice had been lost: nobody tells that the item is held under another lease. */
    @Test
    void renew_whenItsProcessWasNotToldThatTheLeaseIsLost_isRefusedBeforeLong() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        b.store().write(Q.owner(), tx -> tx.update("UPDATE held SET nonce = nonce - 1"));
        a.queues().renew(lease);
        eventually(() -> {
            a.queues().tick();
            return !a.renews(lease);
        });
    }

    @Test
    void lease_whenTheProcessThatGrantedItDies_runsOutAtAnother() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        a.die();
        b.live(LONG_SILENCE);
        b.live(LONG_SILENCE);
        b.live(TERM.minusSeconds(15));
        assertThat(b.state(lease)).isEqualTo(ItemState.HELD);
        b.live(Duration.ofSeconds(30));
        assertThat(b.state(lease)).isEqualTo(ItemState.READY);
        // Its holder may have renewed it at the one that died.
        assertThat(b.view(lease).deliveries()).isZero();
    }

    @Test
    void lease_whenTheProcessThatGrantedItLives_isLeftToIt() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        bothLive(TERM.minusSeconds(1));
        a.queues().renew(lease);
        bothLive(TERM.minusSeconds(1));
        assertThat(b.state(lease)).isEqualTo(ItemState.HELD);
    }

    @Test
    void lease_whenTheProcessThatGrantedItIsClosed_isCountedByAnotherAtOnce() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        a.queues().close();
        b.live(Duration.ofSeconds(3));
        b.live(TERM);
        assertThat(b.state(lease)).isEqualTo(ItemState.READY);
    }

    @Test
    void process_thatWasTakenForDead_doesNotEndWhatOthersCount() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        b.live(LONG_SILENCE);
        b.live(LONG_SILENCE);
        // It wakes up, and more than the term has passed for it.
        a.ticker().advance(TERM);
        a.queues().tick();
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        b.queues().renew(lease);
        bothLive(TERM.minusSeconds(1));
        a.queues().renew(lease);
        bothLive(TERM.minusSeconds(1));
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        // It works on as if it had just been started.
        ItemLease next = putAndClaimAtA();
        bothLive(TERM.multipliedBy(2));
        assertThat(a.state(next)).isEqualTo(ItemState.READY);
        assertThat(a.state(lease)).isEqualTo(ItemState.READY);
    }

    @Test
    void process_thatCannotTakeANewPlaceAtOnce_worksOnWhenItHasOne() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        b.live(LONG_SILENCE);
        b.live(LONG_SILENCE);
        PostgresServer.shared().run("CREATE FUNCTION " + schema + ".refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''not now''; END'");
        PostgresServer.shared().run("CREATE TRIGGER refuse BEFORE INSERT ON " + schema + ".lease FOR EACH ROW EXECUTE"
                + " FUNCTION " + schema + ".refuse()");
        a.ticker().advance(TERM);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(NotDoneException.class).isThrownBy(a.queues()::tick)
                    .withMessageContaining("not now");
        }
        ItemLease next = putAndClaimAtA();
        a.queues().renew(lease);
        a.queues().renew(next);
        PostgresServer.shared().run("DROP TRIGGER refuse ON " + schema + ".lease");
        bothLive(TERM.minusSeconds(1));
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        assertThat(a.state(next)).isEqualTo(ItemState.HELD);
        a.queues().renew(lease);
        a.queues().renew(next);
        // It counts again, even alone.
        b.die();
        ItemLease last = putAndClaimAtA();
        a.live(TERM.minusSeconds(1));
        a.queues().renew(last);
        a.live(TERM.minusSeconds(1));
        assertThat(a.state(last)).isEqualTo(ItemState.HELD);
        assertThat(a.queues().finish(last).kind()).isEqualTo(Outcome.Kind.FINISHED);
        a.live(TERM);
        assertThat(a.state(lease)).isEqualTo(ItemState.READY);
        assertThat(a.state(next)).isEqualTo(ItemState.READY);
    }

    @Test
    void renew_ofManyAtOnce_refusesOnlyThoseThatAreNotCurrent() throws InterruptedException {
        List<ItemLease> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(putAndClaimAtA());
        }
        ItemLease first = held.getFirst();
        ItemLease last = held.getLast();
        Fence fence = first.fence();
        List<ItemLease> wrong = List.of(
                new ItemLease(first.item(), new Fence(fence.epoch().next(), fence.nonce())),
                new ItemLease(first.item(), new Fence(fence.epoch(), fence.nonce() + 1)),
                new ItemLease(new ItemId(new Owner("other"), first.item().number()), fence),
                new ItemLease(last.item(), fence),
                new ItemLease(new ItemId(new Owner("other"), last.item().number()), last.fence()));
        List<ItemLease> right = List.of(first, held.get(1), first);
        Crowd<Integer> renewing = new Crowd<>();
        try (Gate gate = new Gate(b.store())) {
            assertThat(gate).isNotNull();
            Stream.concat(wrong.stream(), right.stream()).forEach(lease -> renewing.start(() -> {
                b.queues().renew(lease);
                return 0;
            }));
            renewing.awaitWaiting();
        }
        assertThat(renewing.failures().subList(0, wrong.size()))
                .allSatisfy(failure -> assertThat(failure).get().isInstanceOf(LeaseLostException.class));
        assertThat(renewing.failures().subList(wrong.size(), wrong.size() + right.size()))
                .containsOnly(Optional.empty());
        // The same lease twice is renewed once, and only if they all came at once.
        assertThat(a.store().<List<Long>>read(snapshot -> snapshot.query("SELECT renewals FROM held ORDER BY id",
                row -> row.getLong(1)))).containsExactly(1L, 1L, 0L);
    }

    /** Whichever process ends a lease tells of it, and once. */
    @Test
    void witness_whenALeaseRunsOutAtAnotherProcess_isToldThere() throws InterruptedException {
        ItemLease kept = putAndClaimAtA();
        bothLive(TERM.minusSeconds(1));
        b.queues().renew(kept);
        bothLive(Duration.ofSeconds(2));
        assertThat(b.store().events().after(0, 10)).isEmpty();
        a.die();
        b.live(LONG_SILENCE);
        b.live(LONG_SILENCE);
        b.live(TERM);
        assertThat(b.state(kept)).isEqualTo(ItemState.READY);
        assertThat(b.store().events().after(0, 10)).extracting(event -> event.type() + " " + event.subject() + " "
                + event.body()).containsExactly("EXPIRED " + kept.item() + " READY");
    }

    private void bothLive(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minusSeconds(1)) {
            a.live(Duration.ofSeconds(1));
            b.live(Duration.ofSeconds(1));
        }
    }
}
