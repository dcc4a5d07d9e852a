package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.queue.Claimed;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.QueueStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators may do, and what they see. */
abstract class OperatorContract extends QueueContract {

    OperatorContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private ItemId in(ItemState state) {
        ItemId item = put(Q, "x");
        ItemLease lease = claim(Q).lease();
        assertThat(lease.item()).isEqualTo(item);
        switch (state) {
            case READY -> queues.release(lease);
            case HELD -> queues.renew(lease);
            case DELAYED -> queues.fail(lease, "e");
            case KEPT -> queues.keep(lease);
            case DEAD -> kill(lease);
        }
        assertThat(state(item)).isEqualTo(state);
        return item;
    }

    @ParameterizedTest
    @EnumSource(ItemState.class)
    void reset_whateverTheState_isReadyAsIfNew(ItemState state) {
        ItemId item = in(state);
        clocks.pass(Duration.ofSeconds(1));
        queues.reset(item);
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.since()).isEqualTo(now());
            assertThat(view.attempts()).isZero();
            assertThat(view.deliveries()).isZero();
            assertThat(view.lastError()).isEmpty();
            assertThat(view.holder()).isEmpty();
            assertThat(view.epoch()).isEqualTo(1);
        });
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        Claimed again = claim(Q);
        assertThat(again.item()).isEqualTo(item);
        assertThat(again.lease().fence().epoch().value()).isEqualTo(2);
        passAndTick(Duration.ofSeconds(10));
        assertThat(state(item)).isEqualTo(ItemState.HELD);
    }

    @Test
    void reset_whenThereIsNoSuchItem_isRefused() {
        ItemId item = put(Q, "x");
        ItemId none = new ItemId(Q.owner(), item.number() + 1);
        assertThatExceptionOfType(ItemNotFoundException.class).isThrownBy(() -> queues.reset(none))
                .withMessageContaining(none.toString()).satisfies(e -> assertThat(e.code()).isEqualTo(
                        "queue.no-such-item"));
        ItemId foreign = new ItemId(OTHER.owner(), item.number());
        assertThatExceptionOfType(ItemNotFoundException.class).isThrownBy(() -> queues.reset(foreign));
        queues.finish(claim(Q).lease());
        assertThatExceptionOfType(ItemNotFoundException.class).isThrownBy(() -> queues.reset(item));
    }

    @Test
    void find_whenOfAnotherOwner_isNotFound() {
        ItemId item = put(Q, "x");
        ItemId foreign = new ItemId(OTHER.owner(), item.number());
        assertThat(queues.find(foreign)).isEmpty();
        assertThat(queues.history(foreign)).isEmpty();
        queues.finish(claim(Q).lease());
        assertThat(queues.history(foreign)).isEmpty();
        assertThat(queues.history(item)).isNotEmpty();
    }

    @Test
    void retryDead_whenThereAreMany_makesAllOfThatQueueReady() {
        putMany(Q, 1100);
        kill(putAndClaim(R));
        while (counts(Q).ready() > 0) {
            List<ItemLease> leases = claim(Q, 1000).stream().map(Claimed::lease).toList();
            queues.endAll(leases, EndContract.KILL);
        }
        in(ItemState.KEPT);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 1, 1100));
        assertThat(queues.retryDead(Q)).isEqualTo(1100);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1100, 0, 0, 1, 0));
        assertThat(counts(R).dead()).isEqualTo(1);
        assertThat(queues.retryDead(Q)).isZero();
        assertThat(claim(Q).attempts()).isZero();
    }

    @Test
    void purge_whenOldEnough_removesAndCounts() {
        ItemId oldDead = in(ItemState.DEAD);
        ItemId oldKept = in(ItemState.KEPT);
        clocks.pass(Duration.ofHours(1));
        Instant time = now();
        ItemId newDead = in(ItemState.DEAD);
        ItemId newKept = in(ItemState.KEPT);
        assertThat(queues.purge(Q, ItemState.DEAD, time)).isEqualTo(1);
        assertThat(queues.find(oldDead)).isEmpty();
        assertThat(queues.find(oldKept)).isPresent();
        assertThat(queues.purge(Q, ItemState.KEPT, time)).isEqualTo(1);
        assertThat(queues.find(newDead)).isPresent();
        assertThat(queues.find(newKept)).isPresent();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 1, 1));
        assertThat(queues.history(oldDead)).extracting(HistoryStep::what).containsExactly("put", "claimed", "dead",
                "purged");
    }

    @Test
    void purge_whenBeforeTheEndOfTime_removesAll() {
        putMany(Q, 600);
        queues.endAll(claim(Q, 600).stream().map(Claimed::lease).toList(), EndContract.KILL);
        assertThat(queues.purge(Q, ItemState.DEAD, Instant.MIN)).isZero();
        assertThat(queues.purge(Q, ItemState.DEAD, Instant.MAX)).isEqualTo(600);
        assertThat(counts(Q).total()).isZero();
    }

    @Test
    void purge_whenTheStateIsInUse_isRefused() {
        for (ItemState state : List.of(ItemState.READY, ItemState.HELD, ItemState.DELAYED)) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues.purge(Q, state, Instant.MAX))
                    .withMessageContaining(state.name());
        }
    }

    @Test
    void operate_whenThereIsNoSuchQueue_doesNothingAndMakesNone() {
        assertThat(queues.retryDead(Q)).isZero();
        assertThat(queues.purge(Q, ItemState.DEAD, now())).isZero();
        assertThat(queues.status(Q)).isEmpty();
    }

    @Test
    void pause_whenPaused_nothingIsHandedOutUntilResumed() {
        ItemLease before = putAndClaim(Q);
        ItemId waits = put(Q, "x");
        assertThat(queues.pause(Q)).isTrue();
        assertThat(queues.pause(Q)).isFalse();
        assertThat(tryClaim(Q)).isEmpty();
        put(Q, "y");
        assertThat(counts(Q)).isEqualTo(new QueueCounts(2, 1, 0, 0, 0));
        queues.renew(before);
        queues.finish(before);
        put(R, "z");
        assertThat(text(claim(R))).isEqualTo("z");
        assertThat(queues.resume(Q)).isTrue();
        assertThat(queues.resume(Q)).isFalse();
        assertThat(claim(Q).item()).isEqualTo(waits);
    }

    @Test
    void pause_whenRestarted_isStillPaused() {
        put(Q, "x");
        queues.pause(Q);
        open();
        assertThat(queues.status(Q)).hasValueSatisfying(status -> assertThat(status.paused()).isTrue());
        assertThat(tryClaim(Q)).isEmpty();
        queues.resume(Q);
        open();
        assertThat(tryClaim(Q)).isPresent();
    }

    @Test
    void pause_whenThereIsNoSuchQueueYet_holdsWhenItComes() {
        assertThat(queues.resume(R)).isFalse();
        assertThat(queues.pause(Q)).isTrue();
        put(Q, "x");
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void statuses_whenAskedForAnOwner_areThoseOfItsQueues() {
        put(R, "x");
        put(Q, "x");
        put(Q, "y");
        put(OTHER, "x");
        queues.pause(R);
        assertThat(queues.statuses(Q.owner())).containsExactly(
                new QueueStatus(Q, false, new QueueCounts(2, 0, 0, 0, 0)),
                new QueueStatus(R, true, new QueueCounts(1, 0, 0, 0, 0)));
        assertThat(queues.statuses(QueueName.of("nobody", "x").owner())).isEmpty();
        assertThat(queues.status(QueueName.of("nobody", "x"))).isEmpty();
    }

    @Test
    void counts_whenInEveryState_areRightAndOutliveARestart() {
        for (ItemState state : ItemState.values()) {
            if (state != ItemState.READY) {
                in(state);
            }
        }
        put(Q, "x");
        put(Q, "x");
        QueueCounts expected = new QueueCounts(2, 1, 1, 1, 1);
        assertThat(counts(Q)).isEqualTo(expected);
        assertThat(counts(Q).total()).isEqualTo(6);
        open();
        assertThat(counts(Q)).isEqualTo(expected);
        assertSound();
    }

    @Test
    void check_whenSomethingIsWrong_saysWhat() {
        ItemId item = put(Q, "x");
        store().write(Q.owner(), tx -> tx.update("DELETE FROM ready"));
        assertThat(queues.check()).anySatisfy(problem -> assertThat(problem).contains("item " + item.number()))
                .anySatisfy(problem -> assertThat(problem).contains("acme/files counts 1 READY items and has 0"));
        store().write(Q.owner(),
                tx -> tx.update("INSERT INTO ready (queue, rank, id) SELECT queue, place, id FROM item"));
        assertSound();
    }
}
