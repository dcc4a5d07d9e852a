package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NumberTakenException;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do, one item at a time and within a transaction of the caller's. */
abstract class OperatorStepsContract extends QueueContract {
    private static final Set<ItemState> ANY = EnumSet.allOf(ItemState.class);

    OperatorStepsContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private ItemId in(ItemState state) {
        ItemLease lease = putAndClaim(Q);
        switch (state) {
            case READY -> queues.release(lease);
            case HELD -> queues.renew(lease);
            case DELAYED -> queues.fail(lease, "e");
            case KEPT -> queues.keep(lease);
            case DEAD -> kill(lease);
        }
        assertThat(state(lease.item())).isEqualTo(state);
        return lease.item();
    }

    private boolean remove(ItemId item, Set<ItemState> from) {
        return store().write(Q.owner(), tx -> queues.remove(tx, item, from, "not wanted"));
    }

    private void butFail(Consumer<Transaction> step) {
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            step.accept(tx);
            throw new ArithmeticException("the caller's own");
        }));
    }

    @ParameterizedTest
    @EnumSource(ItemState.class)
    void remove_whenInOneOfTheStates_isGoneAndRemembered(ItemState state) {
        ItemId item = in(state);
        ItemId other = put(R, "x");
        assertThat(remove(item, EnumSet.complementOf(EnumSet.of(state)))).isFalse();
        assertThat(state(item)).isEqualTo(state);
        assertThat(remove(item, Set.of(state))).isTrue();
        assertThat(queues.find(item)).isEmpty();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 0, 0));
        assertThat(queues.history(item)).last().isEqualTo(new HistoryStep(now(), "removed", 0, "",
                Optional.of("not wanted")));
        assertThat(state(other)).isEqualTo(ItemState.READY);
        // Nothing of it comes back when its time would have come.
        expireAll();
        assertThat(tryClaim(Q)).isEmpty();
        assertThat(remove(item, ANY)).isFalse();
        assertThatExceptionOfType(NumberTakenException.class)
                .isThrownBy(() -> queues.put(item(Q, "x").withNumber(item.number())));
        passAndTick(config.memory().plusDays(1));
        assertThat(queues.history(item)).isEmpty();
    }

    @Test
    void remove_whenHeld_theLeaseIsLost() {
        ItemLease lease = putAndClaim(Q);
        assertThat(remove(lease.item(), Set.of(ItemState.HELD))).isTrue();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(lease));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(lease));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> kill(lease));
        assertThat(queues.history(lease.item())).extracting(HistoryStep::what).containsExactly("put", "claimed",
                "taken-back", "removed");
    }

    @Test
    void remove_whenOfAnotherOwner_isNotFound() {
        ItemId item = in(ItemState.READY);
        assertThat(remove(new ItemId(OTHER.owner(), item.number()), ANY)).isFalse();
        assertThat(state(item)).isEqualTo(ItemState.READY);
    }

    @Test
    void remove_whenTheItemHadAKey_theKeyIsKnownLikeThatOfAFinishedOne() {
        ItemId item = put(item(Q, "x").withKey("k"));
        remove(item, ANY);
        assertThat(queues.put(item(Q, "x").withKey("k"))).isEqualTo(new Placed(item, false));
        passAndTick(config.memory().plusDays(1));
        assertThat(queues.put(item(Q, "x").withKey("k")).created()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ItemState.class)
    void remove_whenTheCallerFails_isStillThere(ItemState state) {
        ItemId item = in(state);
        butFail(tx -> assertThat(queues.remove(tx, item, ANY, "")).isTrue());
        assertThat(state(item)).isEqualTo(state);
        assertThat(counts(Q).total()).isOne();
        expireAll();
        assertThat(queues.find(item)).isPresent();
    }

    @Test
    void remove_whenHeldButTheCallerFails_theTermStillCounts() {
        ItemLease lease = putAndClaim(Q);
        butFail(tx -> queues.remove(tx, lease.item(), ANY, ""));
        queues.renew(lease);
        expireAll();
        assertThat(view(lease.item()).deliveries()).isOne();
    }

    @Test
    void retryNow_whenDelayed_isReadyWithItsAttempts() {
        ItemId item = in(ItemState.DELAYED);
        ItemId earlier = put(Q, "y");
        clocks.pass(Duration.ofSeconds(1));
        Crowd<List<Claimed>> waiter = waiting(1, R).awaitAsleep();
        ItemId later = put(item(R, "z").withAvailableAt(now().plusSeconds(100)));
        assertThat(queues.retryNow(item)).isTrue();
        assertThat(queues.retryNow(item)).isFalse();
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.since()).isEqualTo(now());
            assertThat(view.attempts()).isOne();
            assertThat(view.lastError()).contains("e");
            assertThat(view.epoch()).isOne();
        });
        assertThat(queues.history(item)).last().extracting(HistoryStep::what).isEqualTo("made-ready");
        assertThat(claim(Q, 2)).extracting(Claimed::item).containsExactly(earlier, item);
        // Whoever waits is woken.
        assertThat(store().<Boolean>write(R.owner(), tx -> queues.retryNow(tx, later))).isTrue();
        assertThat(waiter.results().getFirst()).extracting(Claimed::item).containsExactly(later);
        passAndTick(Duration.ofSeconds(10));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 2, 0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(value = ItemState.class, mode = EnumSource.Mode.EXCLUDE, names = "DELAYED")
    void retryNow_whenNotDelayed_changesNothing(ItemState state) {
        ItemId item = in(state);
        List<HistoryStep> before = queues.history(item);
        assertThat(queues.retryNow(item)).isFalse();
        assertThat(state(item)).isEqualTo(state);
        assertThat(queues.history(item)).isEqualTo(before);
        assertThat(queues.retryNow(new ItemId(Q.owner(), item.number() + 1))).isFalse();
    }

    @Test
    void retryNow_whenTheCallerFailsOrIsAnother_isStillDelayed() {
        ItemId item = in(ItemState.DELAYED);
        Instant due = view(item).since();
        butFail(tx -> assertThat(queues.retryNow(tx, item)).isTrue());
        assertThat(queues.retryNow(new ItemId(OTHER.owner(), item.number()))).isFalse();
        assertThat(view(item).since()).isEqualTo(due);
        assertThat(state(item)).isEqualTo(ItemState.DELAYED);
    }

    @ParameterizedTest
    @EnumSource(ItemState.class)
    void reset_whenInTheCallersTransaction_isDoneOnlyIfThatCommits(ItemState state) {
        ItemId item = in(state);
        butFail(tx -> queues.reset(tx, item));
        assertThat(state(item)).isEqualTo(state);
        store().write(Q.owner(), tx -> {
            queues.reset(tx, item);
            return 0;
        });
        assertThat(state(item)).isEqualTo(ItemState.READY);
        assertThat(claim(Q).attempts()).isZero();
    }

    @Test
    void reset_whenThereIsNoSuchItem_theCallersTransactionIsRolledBack() {
        ItemId dead = in(ItemState.DEAD);
        ItemId none = new ItemId(Q.owner(), dead.number() + 1);
        assertThatExceptionOfType(ItemNotFoundException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.reset(tx, dead);
            queues.reset(tx, none);
            return 0;
        }));
        assertThat(state(dead)).isEqualTo(ItemState.DEAD);
    }

    @Test
    void pause_whenInTheCallersTransaction_isDoneOnlyIfThatCommits() {
        put(Q, "x");
        butFail(tx -> assertThat(queues.pause(tx, Q, true)).isTrue());
        assertThat(order(Q)).containsExactly("x");
        assertThat(store().<List<Boolean>>write(Q.owner(),
                tx -> List.of(queues.pause(tx, Q, true), queues.pause(tx, Q, true)))).containsExactly(true, false);
        assertThat(tryClaim(Q)).isEmpty();
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        butFail(tx -> assertThat(queues.pause(tx, Q, false)).isTrue());
        assertThat(tryClaim(Q)).isEmpty();
        waiter.awaitAsleep();
        assertThat(store().<Boolean>write(Q.owner(), tx -> queues.pause(tx, Q, false))).isTrue();
        assertThat(waiter.results().getFirst()).hasSize(1);
    }

    @Test
    void steps_whenManyInOneTransaction_allAreThere() {
        List<ItemId> items = List.of(in(ItemState.DEAD), in(ItemState.DELAYED), in(ItemState.KEPT), in(ItemState.HELD));
        store().write(Q.owner(), tx -> {
            queues.reset(tx, items.get(0));
            queues.retryNow(tx, items.get(1));
            queues.remove(tx, items.get(2), ANY, "");
            queues.remove(tx, items.get(3), ANY, "");
            queues.reset(tx, items.get(1));
            return queues.remove(tx, items.get(1), Set.of(ItemState.READY), "");
        });
        assertThat(claim(Q, 5)).extracting(Claimed::item).containsExactly(items.getFirst());
        assertThat(counts(Q).total()).isOne();
    }
}
