package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Who goes first: by priority, by the time an item became available, by number; and nobody waits forever. */
abstract class OrderContract extends QueueContract {
    private static final Duration STEP = Duration.ofMinutes(1);

    OrderContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    @Test
    void claim_whenAllAreEqual_goesByNumber() {
        List<ItemId> put = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            put.add(put(Q, "x" + i));
        }
        assertThat(claim(Q, 7)).extracting(Claimed::item).isEqualTo(put.subList(0, 7));
        assertThat(claim(Q, 100)).extracting(Claimed::item).isEqualTo(put.subList(7, 20));
    }

    @Test
    void claim_whenTimesDiffer_goesByTime() {
        put(Q, "first");
        clocks.pass(Duration.ofMillis(1));
        put(Q, "second");
        clocks.pass(Duration.ofHours(1));
        put(Q, "third");
        assertThat(order(Q)).containsExactly("first", "second", "third");
    }

    @Test
    void claim_whenPrioritiesDiffer_goesByPriority() {
        put(item(Q, "low").withPriority(-5));
        put(Q, "normal");
        put(item(Q, "high").withPriority(5));
        put(item(Q, "highest").withPriority(NewItem.HIGHEST_PRIORITY));
        assertThat(order(Q)).containsExactly("highest", "high", "normal", "low");
    }

    @Test
    void claim_whenAnItemIsOlderThanItsHandicap_goesFirst() {
        put(item(Q, "old and low").withPriority(-3));
        clocks.pass(STEP.multipliedBy(3).minusMillis(1));
        put(Q, "within the handicap");
        clocks.pass(Duration.ofMillis(2));
        put(Q, "past the handicap");
        assertThat(order(Q)).containsExactly("within the handicap", "old and low", "past the handicap");
    }

    @Test
    void claim_whenHigherPrioritiesKeepComing_reachesTheLowOneInTime() {
        put(item(Q, "low").withPriority(-10));
        int overtaken = 0;
        for (boolean served = false; !served; overtaken++) {
            assertThat(overtaken).isLessThanOrEqualTo(20);
            clocks.pass(STEP);
            put(item(Q, "high").withPriority(10));
            Claimed next = claim(Q);
            served = text(next).equals("low");
            queues.finish(next.lease());
        }
        assertThat(overtaken).isEqualTo(20);
    }

    @Test
    void claim_whenPriorityStepIsZero_goesByTimeOnly() {
        config = config.withPriorityStep(Duration.ZERO);
        open();
        put(item(Q, "first").withPriority(-1000));
        clocks.pass(Duration.ofMillis(1));
        put(item(Q, "second").withPriority(1000));
        assertThat(order(Q)).containsExactly("first", "second");
    }

    @Test
    void put_whenAvailableLater_isNotHandedOutBefore() {
        Instant later = now().plusSeconds(10);
        ItemId item = put(item(Q, "x").withAvailableAt(later));
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.DELAYED);
            assertThat(view.since()).isEqualTo(later);
        });
        passAndTick(Duration.ofMillis(9_999));
        assertThat(tryClaim(Q)).isEmpty();
        passAndTick(Duration.ofMillis(1));
        assertThat(state(item)).isEqualTo(ItemState.READY);
        assertThat(claim(Q).item()).isEqualTo(item);
    }

    @Test
    void put_whenAvailableInThePast_isReadyAsOfNow() {
        put(Q, "first");
        clocks.pass(Duration.ofMillis(1));
        ItemId item = put(item(Q, "second").withAvailableAt(Instant.EPOCH));
        assertThat(view(item).since()).isEqualTo(now());
        assertThat(order(Q)).containsExactly("first", "second");
    }

    @Test
    void put_whenAvailableInTheFarFuture_waitsAndDisturbsNobody() {
        put(item(Q, "never").withAvailableAt(Instant.parse("9999-12-31T23:59:59.999Z")));
        put(Q, "now");
        passAndTick(Duration.ofDays(1000));
        assertThat(order(Q)).containsExactly("now");
        assertThat(counts(Q).delayed()).isEqualTo(1);
    }

    @Test
    void claim_whenADelayedItemIsDue_standsWhereItsTimePutsIt() {
        put(item(Q, "delayed").withAvailableAt(now().plusSeconds(10)));
        clocks.pass(Duration.ofSeconds(9));
        put(Q, "before it was due");
        clocks.pass(Duration.ofSeconds(5));
        put(Q, "after it was due");
        queues.tick();
        assertThat(order(Q)).containsExactly("before it was due", "delayed", "after it was due");
    }

    @Test
    void claim_whenADelayedItemHasAPriority_takesItIntoAccountWhenDue() {
        put(item(Q, "delayed").withPriority(1).withAvailableAt(now().plusSeconds(10)));
        put(Q, "normal");
        clocks.pass(Duration.ofSeconds(10));
        queues.tick();
        assertThat(order(Q)).containsExactly("delayed", "normal");
    }

    @Test
    void fail_whenTriedAgain_doesNotJumpTheQueue() {
        ItemLease failed = putAndClaim(Q);
        put(Q, "before it was due");
        assertThat(fail(failed, "e", RetryPolicy.fixed(Duration.ofSeconds(5), 3)).kind())
                .isEqualTo(Outcome.Kind.RETRYING);
        clocks.pass(Duration.ofSeconds(4));
        put(Q, "before it was due, too");
        passAndTick(Duration.ofSeconds(1));
        clocks.pass(Duration.ofSeconds(1));
        put(Q, "after it was due");
        assertThat(order(Q)).containsExactly("before it was due", "before it was due, too", "x", "after it was due");
    }

    @Test
    void fail_whenTriedAgainAtOnce_goesToTheBack() {
        ItemLease failed = putAndClaim(Q);
        clocks.pass(Duration.ofSeconds(1));
        put(Q, "waits");
        clocks.pass(Duration.ofSeconds(1));
        fail(failed, "e", RetryPolicy.fixed(Duration.ZERO, 3));
        assertThat(order(Q)).containsExactly("waits", "x");
    }

    @Test
    void release_whenOthersHaveCome_keepsItsPlace() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(Duration.ofSeconds(10));
        put(Q, "later");
        Instant since = view(lease.item()).created();
        queues.release(lease);
        assertThat(view(lease.item()).since()).isEqualTo(since);
        assertThat(order(Q)).containsExactly("x", "later");
    }

    @Test
    void expire_whenOthersHaveCome_goesToTheBack() {
        putAndClaim(Q);
        clocks.pass(Duration.ofSeconds(10));
        put(Q, "later");
        expireAll();
        assertThat(order(Q)).containsExactly("later", "x");
    }

    @Test
    void reset_whenOthersHaveCome_goesToTheBack() {
        ItemId item = put(Q, "x");
        clocks.pass(Duration.ofSeconds(10));
        put(Q, "later");
        clocks.pass(Duration.ofSeconds(10));
        queues.reset(item);
        assertThat(order(Q)).containsExactly("later", "x");
    }

    @Test
    void claim_whenWallClockWasSetBackForHours_keepsTheOrder() {
        put(Q, "first");
        clocks.setWall(Duration.ofHours(-5));
        clocks.pass(Duration.ofSeconds(1));
        put(Q, "second");
        clocks.setWall(Duration.ofHours(10));
        put(Q, "third");
        clocks.setWall(Duration.ofHours(-10));
        open();
        clocks.pass(Duration.ofSeconds(2));
        put(Q, "fourth");
        assertThat(order(Q)).containsExactly("first", "second", "third", "fourth");
    }
}
