package io.entrepot.queue.contract;

import static io.entrepot.queue.contract.QueueContract.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.PostgresServer;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.ManualTicker;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Several processes with the queues of one PostgreSQL. Each has a clock of its own, which stands still until told. */
class SharedQueuesTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final Duration TERM = Duration.ofMinutes(1);
    /** Longer than a process must be silent to be taken for dead. */
    private static final Duration LONG_SILENCE = Duration.ofSeconds(11);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String schema = "several_" + SCHEMAS.incrementAndGet();
    private final List<Member> members = new ArrayList<>();
    private final Member a = start(false);
    private final Member b = start(false);

    /** What a process has. */
    private record Member(Store store, Queues queues, ManualTicker ticker) {

        ItemLease claim() throws InterruptedException {
            return queues.claim(ClaimRequest.of(Q, "worker", TERM)).getFirst().lease();
        }

        ItemState state(ItemLease lease) {
            return view(lease).state();
        }

        ItemView view(ItemLease lease) {
            return queues.find(lease.item()).orElseThrow();
        }

        void passAndTick(Duration time) {
            ticker.advance(time);
            queues.tick();
        }

        /** In steps, as a living process does it. */
        void live(Duration time) {
            for (Duration left = time; left.isPositive(); left = left.minusSeconds(1)) {
                passAndTick(Duration.ofSeconds(1));
            }
        }

        void die() {
            store.close();
        }
    }

    private Member start(boolean background) {
        ManualTicker ticker = new ManualTicker();
        StoreConfig config = StoreConfig.of(Queues.SCHEMA);
        if (!background) {
            config = config.withClocks(InstantSource.system(), ticker);
        }
        Store store = Postgres.open(PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "")
                .withSchema(schema), config);
        Member process = new Member(store,
                Queues.open(Stores.of(store), config, QueueConfig.DEFAULT.withBackground(background),
                        (tx, item, kind, to, _) -> tx.publish(item.owner(), kind.name(), item.toString(),
                                to.name())),
                ticker);
        members.add(process);
        return process;
    }

    @AfterEach
    void checkAndClose() {
        assertThat(start(false).queues.check()).isEmpty();
        members.forEach(process -> process.queues.close());
        members.forEach(process -> process.store.close());
        PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
    }

    private static NewItem item(String payload) {
        return NewItem.of(Q, payload.getBytes(UTF_8));
    }

    private ItemLease putAndClaimAtA() throws InterruptedException {
        a.queues.put(item("x"));
        return a.claim();
    }

    @Test
    void finish_ofALeaseThatAnotherProcessHasGranted_isAsAnyOther() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        assertThat(b.queues.finish(lease).kind()).isEqualTo(Outcome.Kind.FINISHED);
        assertThat(a.queues.finish(lease).repeated()).isTrue();
        assertThat(a.queues.find(lease.item())).isEmpty();
        a.live(TERM);
    }

    @Test
    void renew_atAnotherProcess_givesTheWholeTermAgain() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        a.live(TERM.minusSeconds(1));
        b.queues.renew(lease);
        a.live(TERM);
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        a.live(TERM);
        assertThat(a.state(lease)).isEqualTo(ItemState.READY);
        assertThat(a.view(lease).deliveries()).isOne();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> b.queues.renew(lease));
    }

    /** As behind a load balancer: each renewal at another one. */
    @Test
    void renew_inTurnsAtSeveralProcesses_keepsTheLease() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        for (int i = 0; i < 4; i++) {
            bothLive(TERM.minusSeconds(1));
            (i % 2 == 0 ? b : a).queues.renew(lease);
        }
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        assertThat(a.queues.finish(lease).repeated()).isFalse();
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
        a.queues.renew(lease);
        bothLive(TERM.minusSeconds(1));
        assertThat(b.state(lease)).isEqualTo(ItemState.HELD);
    }

    @Test
    void lease_whenTheProcessThatGrantedItIsClosed_isCountedByAnotherAtOnce() throws InterruptedException {
        ItemLease lease = putAndClaimAtA();
        a.queues.close();
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
        a.ticker.advance(TERM);
        a.queues.tick();
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        b.queues.renew(lease);
        bothLive(TERM.minusSeconds(1));
        a.queues.renew(lease);
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
        a.ticker.advance(TERM);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(NotDoneException.class).isThrownBy(a.queues::tick)
                    .withMessageContaining("not now");
        }
        ItemLease next = putAndClaimAtA();
        a.queues.renew(lease);
        a.queues.renew(next);
        PostgresServer.shared().run("DROP TRIGGER refuse ON " + schema + ".lease");
        bothLive(TERM.minusSeconds(1));
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        assertThat(a.state(next)).isEqualTo(ItemState.HELD);
        a.queues.renew(lease);
        a.queues.renew(next);
        // It counts again, even alone.
        b.die();
        ItemLease last = putAndClaimAtA();
        a.live(TERM.minusSeconds(1));
        a.queues.renew(last);
        a.live(TERM.minusSeconds(1));
        assertThat(a.state(last)).isEqualTo(ItemState.HELD);
        assertThat(a.queues.finish(last).kind()).isEqualTo(Outcome.Kind.FINISHED);
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
        try (Gate gate = new Gate(b.store)) {
            assertThat(gate).isNotNull();
            Stream.concat(wrong.stream(), right.stream()).forEach(lease -> renewing.start(() -> {
                b.queues.renew(lease);
                return 0;
            }));
            renewing.awaitWaiting();
        }
        assertThat(renewing.failures().subList(0, wrong.size()))
                .allSatisfy(failure -> assertThat(failure).get().isInstanceOf(LeaseLostException.class));
        assertThat(renewing.failures().subList(wrong.size(), wrong.size() + right.size()))
                .containsOnly(Optional.empty());
        // The same lease twice is renewed once, and only if they all came at once.
        assertThat(a.store.<List<Long>>read(snapshot -> snapshot.query("SELECT renewals FROM held ORDER BY id",
                row -> row.getLong(1)))).containsExactly(1L, 1L, 0L);
    }

    /** Whichever process ends a lease tells of it, and once. */
    @Test
    void witness_whenALeaseRunsOutAtAnotherProcess_isToldThere() throws InterruptedException {
        ItemLease kept = putAndClaimAtA();
        bothLive(TERM.minusSeconds(1));
        b.queues.renew(kept);
        bothLive(Duration.ofSeconds(2));
        assertThat(b.store.events().after(0, 10)).isEmpty();
        a.die();
        b.live(LONG_SILENCE);
        b.live(LONG_SILENCE);
        b.live(TERM);
        assertThat(b.state(kept)).isEqualTo(ItemState.READY);
        assertThat(b.store.events().after(0, 10)).extracting(event -> event.type() + " " + event.subject() + " "
                + event.body()).containsExactly("EXPIRED " + kept.item() + " READY");
    }

    private void bothLive(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minusSeconds(1)) {
            a.live(Duration.ofSeconds(1));
            b.live(Duration.ofSeconds(1));
        }
    }

    @Test
    void claim_thatWaits_isWokenByAPutAtAnotherProcess() throws InterruptedException {
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> b.queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        a.queues.put(item("x"));
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    private static ClaimRequest keyed() {
        return ClaimRequest.of(Q, "w", TERM).withKey("k");
    }

    @Test
    void claim_whenRepeatedAtAnotherProcess_givesTheSameLeaseWithItsWholeTerm() throws InterruptedException {
        a.queues.put(item("x"));
        a.queues.put(item("y"));
        ItemLease lease = a.queues.claim(keyed()).getFirst().lease();
        a.live(TERM.minusSeconds(1));
        assertThat(b.queues.claim(keyed()).getFirst().lease()).isEqualTo(lease);
        a.live(TERM.minusSeconds(1));
        assertThat(a.state(lease)).isEqualTo(ItemState.HELD);
        a.die();
        assertThat(b.queues.claim(keyed()).getFirst().lease()).isEqualTo(lease);
        b.queues.finish(lease);
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> b.queues.claim(keyed()));
        assertThat(b.queues.status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
    }

    @RepeatedTest(5)
    void claim_whenManyAskAtOnceAtTwoProcesses_isOneClaim() {
        for (int i = 0; i < 40; i++) {
            a.queues.put(item("x"));
        }
        List<List<Claimed>> got = Crowd.run(32, caller -> (caller % 2 == 0 ? a : b).queues.claim(keyed().withMax(2)));
        List<ItemLease> leases = got.getFirst().stream().map(Claimed::lease).toList();
        assertThat(leases).hasSize(2);
        assertThat(got).allSatisfy(one -> assertThat(one).extracting(Claimed::lease).isEqualTo(leases));
        assertThat(a.queues.status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(38, 2, 0, 0, 0));
    }

    @Test
    void claim_thatWaits_getsWhatTheSameClaimGotAtAnotherProcess() throws InterruptedException {
        Member c = start(true);
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> c.queues.claim(keyed().waiting(Duration.ofHours(1))));
        waiting.awaitAsleep();
        // Whichever of them takes the item, both have it.
        a.queues.put(item("x"));
        List<Claimed> here = a.queues.claim(keyed());
        assertThat(waiting.results().getFirst()).hasSize(1).extracting(Claimed::lease)
                .isEqualTo(here.stream().map(Claimed::lease).toList());
    }

    @Test
    void claim_thatWaits_isWokenAlthoughItsProcessWasNotTold() throws InterruptedException {
        Member c = start(true);
        a.queues.pause(Q);
        a.queues.put(item("x"));
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> c.queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        a.store.write(Q.owner(), tx -> tx.update("UPDATE queue SET paused = 0"));
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    /** Two workers at A are trusted by now, and have just ended something: two more items are held for them. */
    private void expectedAtA() throws InterruptedException {
        for (int i = 0; i < 14; i++) {
            a.queues.put(item("x" + i));
        }
        for (int i = 0; i < 6; i++) {
            a.queues.endAll(List.of(a.claim(), a.claim()), new Ending.Finish(false));
        }
        assertThat(heldAtB()).isEqualTo(2);
    }

    private long heldAtB() {
        return b.queues.status(Q).orElseThrow().counts().held();
    }

    @Test
    void claim_whenAllThereIsWaitsForWorkersOfAnotherProcess_getsItWhenTheyDoNotCome() throws InterruptedException {
        expectedAtA();
        assertThat(b.queues.claim(ClaimRequest.of(Q, "another", TERM))).isEmpty();
        a.passAndTick(Duration.ofMillis(50));
        assertThat(b.queues.claim(ClaimRequest.of(Q, "another", TERM).withMax(3))).hasSize(2)
                .allMatch(claimed -> claimed.lease().fence().epoch().value() == 2);
    }

    @Test
    void pause_atAnotherProcess_takesBackWhatWaitsForWorkers() throws InterruptedException {
        expectedAtA();
        b.queues.pause(Q);
        eventually(() -> {
            a.queues.tick();
            return heldAtB() == 0;
        });
        assertThat(a.queues.claim(ClaimRequest.of(Q, "worker", TERM))).isEmpty();
        b.queues.resume(Q);
        assertThat(a.queues.claim(ClaimRequest.of(Q, "worker", TERM))).hasSize(1);
    }

    @Test
    void pause_atOneProcess_holdsAtAll() throws InterruptedException {
        a.queues.put(item("x"));
        assertThat(a.queues.pause(Q)).isTrue();
        assertThat(b.queues.pause(Q)).isFalse();
        assertThat(b.queues.claim(ClaimRequest.of(Q, "w", TERM))).isEmpty();
        assertThat(b.queues.status(Q).orElseThrow().paused()).isTrue();
        Crowd<List<Claimed>> waiting = new Crowd<>();
        waiting.start(() -> b.queues.claim(ClaimRequest.of(Q, "w", TERM).waiting(Duration.ofHours(1))));
        waiting.awaitWaiting();
        assertThat(a.queues.resume(Q)).isTrue();
        assertThat(waiting.results().getFirst()).hasSize(1);
    }

    @Test
    void delayedItem_whenTheProcessItWasPutAtIsGone_becomesReadyAllTheSame() {
        a.queues.put(item("x").withAvailableAt(Instant.now().plusMillis(200)));
        a.die();
        eventually(() -> {
            b.passAndTick(Duration.ofSeconds(1));
            return b.queues.status(Q).orElseThrow().counts().equals(new QueueCounts(1, 0, 0, 0, 0));
        });
    }

    @Test
    void queue_madeAtOneProcess_isKnownAtAll() {
        a.queues.put(item("x"));
        assertThat(b.queues.statuses(Q.owner())).hasSize(1);
        assertThat(b.queues.list(ListRequest.of(Q)).items()).hasSize(1);
        assertThat(b.queues.status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertThat(b.queues.status(QueueName.of("acme", "none"))).isEmpty();
    }

    @Test
    void items_whenManyWorkersOfSeveralProcessesTakeThem_goToOneEach() {
        int items = 600;
        List<Member> three = List.of(a, b, start(false));
        a.store.write(Q.owner(), tx -> {
            List<NewItem> all = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                all.add(item("item-" + i));
            }
            return a.queues.put(tx, all);
        });
        Set<String> done = ConcurrentHashMap.newKeySet();
        Crowd.start(24, caller -> {
            Queues claims = three.get(caller % 3).queues;
            Queues ends = three.get(caller / 8).queues;
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
            items.add(a.queues.put(item("x")).item());
        }
        List<List<ItemLease>> got = Crowd.run(9, caller -> {
            Queues here = (caller % 2 == 0 ? a : b).queues;
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
            a.queues.renew(lease);
            assertThat(b.queues.finish(lease).repeated()).isFalse();
        });
    }

    private static List<Claimed> next(Queues queues) throws InterruptedException {
        return queues.claim(ClaimRequest.of(Q, "w", TERM).withMax(2));
    }
}
