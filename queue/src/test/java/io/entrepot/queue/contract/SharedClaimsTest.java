package io.entrepot.queue.contract;

import static io.entrepot.queue.contract.QueueContract.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is put, claimed and paused at one process, at the others. */
class SharedClaimsTest extends SharedQueues {

    @Test
    void claim_thatWaits_isWokenByAPutAtAnotherProcess() throws InterruptedException {
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> b.queues().claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        a.queues().put(item("x"));
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    private static ClaimRequest keyed() {
        return ClaimRequest.of(Q, "w", TERM).withKey("k");
    }

    @Test
    void claim_whenRepeatedAtAnotherProcess_givesTheSameLeaseWithItsWholeTerm() throws InterruptedException {
        a.queues().put(item("x"));
        a.queues().put(item("y"));
        ItemLease lease = a.queues().claim(keyed()).getFirst().lease();
        a.live(TERM.minusSeconds(1));
        assertThat(b.queues().claim(keyed()).getFirst().lease()).isEqualTo(lease);
        a.live(TERM.minusSeconds(1));
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        a.die();
        assertThat(b.queues().claim(keyed()).getFirst().lease()).isEqualTo(lease);
        b.queues().finish(lease);
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> b.queues().claim(keyed()));
        assertThat(b.queues().status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
    }

    @RepeatedTest(5)
    void claim_whenManyAskAtOnceAtTwoProcesses_isOneClaim() {
        for (int i = 0; i < 40; i++) {
            a.queues().put(item("x"));
        }
        List<List<Claimed>> got = Crowd.run(32, caller -> (caller % 2 == 0 ? a : b).queues().claim(keyed().withMax(2)));
        List<ItemLease> leases = got.getFirst().stream().map(Claimed::lease).toList();
        assertThat(leases).hasSize(2);
        assertThat(got).allSatisfy(one -> assertThat(one).extracting(Claimed::lease).isEqualTo(leases));
        assertThat(a.queues().status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(38, 2, 0, 0, 0));
    }

    @Test
    void claim_thatWaits_getsWhatTheSameClaimGotAtAnotherProcess() throws InterruptedException {
        Member c = start(true);
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> c.queues().claim(keyed().waiting(Duration.ofHours(1))));
        waiting.awaitAsleep();
        // Whichever of them takes the item, both have it.
        a.queues().put(item("x"));
        List<Claimed> here = a.queues().claim(keyed());
        assertThat(waiting.results().getFirst()).hasSize(1).extracting(Claimed::lease)
                .isEqualTo(here.stream().map(Claimed::lease).toList());
    }

    @Test
    void claim_thatWaits_isWokenAlthoughItsProcessWasNotTold() throws InterruptedException {
        Member c = start(true);
        a.queues().pause(Q);
        a.queues().put(item("x"));
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> c.queues().claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        a.store().write(Q.owner(), tx -> tx.update("UPDATE queue SET paused = 0"));
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    /** Two workers at A are trusted by now, and have just ended something: two more items are held for them. */
    private void expectedAtA() throws InterruptedException {
        for (int i = 0; i < 14; i++) {
            a.queues().put(item("x" + i));
        }
        for (int i = 0; i < 6; i++) {
            a.queues().endAll(List.of(a.claim(), a.claim()), new Ending.Finish(false));
        }
        assertThat(heldAtB()).isEqualTo(2);
    }

    private long heldAtB() {
        return b.queues().status(Q).orElseThrow().counts().held();
    }

    @Test
    void claim_whenAllThereIsWaitsForWorkersOfAnotherProcess_getsItWhenTheyDoNotCome() throws InterruptedException {
        expectedAtA();
        assertThat(b.queues().claim(ClaimRequest.of(Q, "another", TERM))).isEmpty();
        a.passAndTick(Duration.ofMillis(50));
        assertThat(b.queues().claim(ClaimRequest.of(Q, "another", TERM).withMax(3))).hasSize(2)
                .allMatch(claimed -> claimed.lease().fence().epoch().value() == 2);
    }

    @Test
    void pause_atAnotherProcess_takesBackWhatWaitsForWorkers() throws InterruptedException {
        expectedAtA();
        b.queues().pause(Q);
        eventually(() -> {
            a.queues().tick();
            return heldAtB() == 0;
        });
        assertThat(a.queues().claim(ClaimRequest.of(Q, "worker", TERM))).isEmpty();
        b.queues().resume(Q);
        assertThat(a.queues().claim(ClaimRequest.of(Q, "worker", TERM))).hasSize(1);
    }

    @Test
    void reset_atAnotherProcess_ofWhatWaitsForAWorker_isNotHandedToIt() throws InterruptedException {
        expectedAtA();
        List<ItemLease> waiting = b.store().read(snapshot -> snapshot.query("SELECT id, epoch, nonce FROM held",
                row -> new ItemLease(new ItemId(Q.owner(), row.getLong(1)),
                        new Fence(new Epoch(row.getLong(2)), row.getLong(3)))));
        waiting.forEach(lease -> b.queues().reset(lease.item()));
        List<ItemLease> there = next(b.queues()).stream().map(Claimed::lease).toList();
        assertThat(there).extracting(ItemLease::item)
                .containsExactlyInAnyOrderElementsOf(waiting.stream().map(ItemLease::item).toList());
        eventually(() -> waiting.stream().noneMatch(a::renews));
        assertThat(a.queues().claim(ClaimRequest.of(Q, "worker", TERM))).isEmpty();
        there.forEach(b.queues()::finish);
    }

    @Test
    void pause_atOneProcess_holdsAtAll() throws InterruptedException {
        a.queues().put(item("x"));
        assertThat(a.queues().pause(Q)).isTrue();
        assertThat(b.queues().pause(Q)).isFalse();
        assertThat(b.queues().claim(ClaimRequest.of(Q, "w", TERM))).isEmpty();
        assertThat(b.queues().status(Q).orElseThrow().paused()).isTrue();
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> b.queues().claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        assertThat(a.queues().resume(Q)).isTrue();
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    @Test
    void delayedItem_whenTheProcessItWasPutAtIsGone_becomesReadyAllTheSame() {
        a.queues().put(item("x").withAvailableAt(Instant.now().plusMillis(200)));
        a.die();
        eventually(() -> {
            b.passAndTick(Duration.ofSeconds(1));
            return b.queues().status(Q).orElseThrow().counts().equals(new QueueCounts(1, 0, 0, 0, 0));
        });
    }

    @Test
    void queue_madeAtOneProcess_isKnownAtAll() {
        a.queues().put(item("x"));
        assertThat(b.queues().statuses(Q.owner())).hasSize(1);
        assertThat(b.queues().list(ListRequest.of(Q)).items()).hasSize(1);
        assertThat(b.queues().status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertThat(b.queues().status(QueueName.of("acme", "none"))).isEmpty();
    }

    @Test
    void items_whenManyWorkersOfSeveralProcessesTakeThem_goToOneEach() {
        int items = 600;
        List<Member> three = List.of(a, b, start(false));
        a.store().write(Q.owner(), tx -> {
            List<NewItem> all = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                all.add(item("item-" + i));
            }
            return a.queues().put(tx, all);
        });
        Set<String> done = ConcurrentHashMap.newKeySet();
        Crowd.start(24, caller -> {
            Queues claims = three.get(caller % 3).queues();
            Queues ends = three.get(caller / 8).queues();
            for (List<Claimed> some = next(claims); !some.isEmpty(); some = next(claims)) {
                for (Claimed one : some) {
                    assertThat(done.add(new String(one.payload(), UTF_8))).isTrue();
                    ends.renew(one.lease());
                    assertThat(ends.finish(one.lease()).repeated()).isFalse();
                }
            }
            return 0;
        }).results();
        assertThat(done).hasSize(items);
    }

    @Test
    void claim_ofACertainItemAtAnyProcess_goesToOne() {
        List<ItemId> items = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            items.add(a.queues().put(item("x")).item());
        }
        List<List<ItemLease>> got = Crowd.run(9, caller -> {
            Queues here = (caller % 2 == 0 ? a : b).queues();
            List<ItemLease> mine = new ArrayList<>();
            for (ItemId item : items) {
                if (caller < 3) {
                    next(here).forEach(one -> mine.add(one.lease()));
                } else {
                    try {
                        mine.add(here.claim(item, "w", TERM).lease());
                    } catch (ItemHeldException e) {
                        assertThat(e.code()).isEqualTo("queue.item-held");
                    }
                }
            }
            return mine;
        });
        List<ItemLease> all = got.stream().flatMap(List::stream).toList();
        assertThat(all).extracting(ItemLease::item).containsExactlyInAnyOrderElementsOf(items);
        all.forEach(lease -> {
            a.queues().renew(lease);
            assertThat(b.queues().finish(lease).repeated()).isFalse();
        });
    }
}
