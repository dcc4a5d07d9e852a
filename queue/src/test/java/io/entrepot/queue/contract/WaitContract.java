package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Claims that wait: woken at once when there is something, one for each thing, and none is forgotten. */
abstract class WaitContract extends QueueContract {

    WaitContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private ItemId only(Crowd<List<Claimed>> waiter) {
        List<Claimed> claimed = waiter.results().getFirst();
        assertThat(claimed).hasSize(1);
        return claimed.getFirst().item();
    }

    @Test
    void claim_whenSomethingIsThere_doesNotWait() {
        ItemId item = put(Q, "x");
        assertThat(only(waiting(1, Q))).isEqualTo(item);
    }

    @Test
    void claim_whenNothingComes_isEmptyWhenTheWaitIsOver() {
        assertThat(claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofMillis(1)))).isEmpty();
        assertThat(claim(new ClaimRequest(List.of(Q, R, OTHER), "w", 5, TERM, Duration.ofMillis(1)))).isEmpty();
    }

    @Test
    void claim_whenPatienceIsEndless_waits() {
        Crowd<List<Claimed>> waiter = Crowd.start(1, _ -> queues.claim(
                ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofSeconds(Long.MAX_VALUE))));
        waiter.awaitAsleep();
        ItemId item = put(Q, "x");
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void put_whenSomebodyWaits_wakesIt() {
        put(Q, "x");
        claim(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        ItemId item = put(Q, "x");
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void put_whenSomebodyWaitsForAQueueThatDoesNotExistYet_wakesIt() {
        Crowd<List<Claimed>> waiter = waiting(1, QueueName.of("newcomer", "inbox")).awaitAsleep();
        ItemId item = put(QueueName.of("newcomer", "inbox"), "x");
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void put_whenSomebodyWaitsForSeveralQueues_wakesIt() {
        Crowd<List<Claimed>> waiter = waiting(1, Q, R, OTHER).awaitAsleep();
        ItemId item = put(OTHER, "x");
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void put_whenInAnotherQueue_wakesNobody() {
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        put(R, "x");
        put(OTHER, "x");
        waiter.awaitAsleep();
        ItemId item = put(Q, "x");
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void tick_whenADelayedItemIsDue_wakesAWaiter() {
        ItemId item = put(item(Q, "x").withAvailableAt(now().plusSeconds(5)));
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        passAndTick(Duration.ofSeconds(5));
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void tick_whenALeaseRunsOut_wakesAWaiter() {
        ItemLease lease = putAndClaim(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        expireAll();
        assertThat(only(waiter)).isEqualTo(lease.item());
    }

    @Test
    void release_whenSomebodyWaits_wakesIt() {
        ItemLease lease = putAndClaim(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        queues.release(lease);
        assertThat(only(waiter)).isEqualTo(lease.item());
    }

    @Test
    void fail_whenTriedAgainAtOnce_wakesAWaiter() {
        ItemLease lease = putAndClaim(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        fail(lease, "e", RetryPolicy.fixed(Duration.ZERO, 2));
        assertThat(only(waiter)).isEqualTo(lease.item());
    }

    @Test
    void reset_whenSomebodyWaits_wakesIt() {
        ItemLease held = putAndClaim(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        queues.reset(held.item());
        assertThat(only(waiter)).isEqualTo(held.item());
    }

    @Test
    void retryDead_whenSeveralWait_wakesThem() {
        kill(putAndClaim(Q));
        kill(putAndClaim(Q));
        Crowd<List<Claimed>> waiters = waiting(2, Q).awaitAsleep();
        assertThat(queues.retryDead(Q)).isEqualTo(2);
        assertThat(waiters.results()).allSatisfy(claimed -> assertThat(claimed).hasSize(1));
    }

    @Test
    void resume_whenSeveralWait_wakesThemAll() {
        queues.pause(Q);
        for (int i = 0; i < 5; i++) {
            put(Q, "x");
        }
        Crowd<List<Claimed>> waiters = waiting(5, Q).awaitAsleep();
        queues.resume(Q);
        assertThat(waiters.results()).allSatisfy(claimed -> assertThat(claimed).hasSize(1));
    }

    @Test
    void put_whenPaused_leavesWaitersForTheResume() {
        queues.pause(Q);
        Crowd<List<Claimed>> waiter = waiting(1, Q).awaitAsleep();
        ItemId item = put(Q, "x");
        waiter.awaitAsleep();
        queues.resume(Q);
        assertThat(only(waiter)).isEqualTo(item);
    }

    @Test
    void claim_whenManyAreWanted_isWokenByOne() {
        Crowd<List<Claimed>> waiter = Crowd.start(1, _ -> queues.claim(
                ClaimRequest.of(Q, "w", TERM).withMax(10).waiting(LONG)));
        waiter.awaitAsleep();
        put(Q, "x");
        assertThat(waiter.results().getFirst()).hasSize(1);
    }

    @Test
    void claim_whenSeveralWait_areServedInTheOrderInWhichTheyCame() {
        List<Crowd<List<Claimed>>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(waiting(1, Q).awaitAsleep());
        }
        for (Crowd<List<Claimed>> waiter : waiters) {
            ItemId item = put(Q, "x");
            assertThat(only(waiter)).isEqualTo(item);
        }
    }

    @Test
    void interrupt_whenWaiting_endsTheWaitAndTakesNothing() {
        Crowd<List<Claimed>> waiters = new Crowd<>();
        Thread thread = waiters.start(() -> queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(LONG)));
        waiters.awaitAsleep();
        thread.interrupt();
        assertThat(waiters.failures().getFirst()).containsInstanceOf(InterruptedException.class);
        put(Q, "x");
        assertThat(counts(Q).ready()).isEqualTo(1);
    }

    /** As many waiters as items: whatever the timing, everybody gets one. */
    @RepeatedTest(8)
    void put_whenManyWaitAndManyPut_everybodyGetsExactlyOne() {
        int n = 64;
        Crowd<List<Claimed>> waiters = waiting(n, Q);
        Crowd.run(8, _ -> {
            for (int i = 0; i < n / 8; i++) {
                put(Q, "x");
            }
            return 0;
        });
        assertThat(waiters.results()).allSatisfy(claimed -> assertThat(claimed).hasSize(1));
        assertThat(counts(Q).ready()).isZero();
    }

    /** The same when waiters look at overlapping queues: one that is served elsewhere must not keep a wake-up. */
    @RepeatedTest(8)
    void put_whenManyWaitForOverlappingQueues_nobodySleepsBesideAnItem() {
        List<List<QueueName>> wishes = List.of(List.of(Q, R), List.of(R, OTHER), List.of(OTHER, Q),
                List.of(Q, R, OTHER));
        List<Crowd<List<Claimed>>> waiters = new ArrayList<>();
        wishes.forEach(wish -> waiters.add(waiting(12, wish.toArray(QueueName[]::new))));
        Crowd.run(6, caller -> {
            for (int i = 0; i < 8; i++) {
                put(List.of(Q, R, OTHER).get(caller % 3), "x");
            }
            return 0;
        });
        for (int i = 0; i < wishes.size(); i++) {
            Crowd<List<Claimed>> crowd = waiters.get(i);
            List<QueueName> wish = wishes.get(i);
            eventually(() -> crowd.allDone() || wish.stream().allMatch(q -> counts(q).ready() == 0));
        }
        wishes.getLast().forEach(queue -> Crowd.run(12, _ -> put(queue, "x")));
        assertThat(waiters).allSatisfy(crowd -> assertThat(crowd.results())
                .allSatisfy(claimed -> assertThat(claimed).hasSize(1)));
    }

    /** A waiter that is served by one queue, while another one woke it, hands that wake-up on. */
    @Test
    void put_whenAWokenWaiterIsServedElsewhere_theNextOneIsWoken() {
        for (int round = 0; round < 20; round++) {
            Crowd<List<Claimed>> both = waiting(1, Q, R).awaitAsleep();
            Crowd<List<Claimed>> second = waiting(1, Q).awaitAsleep();
            Crowd<ItemId> puts = new Crowd<>();
            try (Gate _ = new Gate(store())) {
                puts.start(() -> put(Q, "x"));
                puts.start(() -> put(R, "x"));
                puts.awaitWaiting();
            }
            puts.results();
            assertThat(both.results().getFirst()).hasSize(1);
            eventually(() -> second.allDone() || counts(Q).ready() == 0);
            put(Q, "x");
            assertThat(second.results().getFirst()).hasSize(1);
            claim(new ClaimRequest(List.of(Q, R), "w", 100, TERM, Duration.ZERO));
        }
    }

    /** Waiters that give up, by interrupt or because their time is over, must not take a wake-up with them. */
    @RepeatedTest(4)
    void put_whenWaitersGiveUpAtTheSameTime_theOthersAreWoken() {
        int n = 24;
        Crowd<List<Claimed>> impatient = new Crowd<>();
        List<Thread> interrupted = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            interrupted.add(impatient.start(() -> queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(LONG))));
            impatient.start(() -> queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofMillis(3))));
        }
        Crowd<List<Claimed>> patient = waiting(n, Q);
        Crowd<Integer> disturbers = Crowd.start(1, _ -> {
            interrupted.forEach(Thread::interrupt);
            return 0;
        });
        Crowd.run(4, _ -> {
            for (int i = 0; i < n / 4; i++) {
                put(Q, "x");
            }
            return 0;
        });
        disturbers.results();
        impatient.failures();
        eventually(() -> patient.allDone() || counts(Q).ready() == 0);
        Crowd.run(n, _ -> put(Q, "x"));
        assertThat(patient.results()).allSatisfy(claimed -> assertThat(claimed).hasSize(1));
    }
}
