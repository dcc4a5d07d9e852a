package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A claim with a key is one claim, however often it is asked for. */
abstract class ClaimKeyContract extends QueueContract {

    ClaimKeyContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private static ClaimRequest keyed(String key, QueueName... from) {
        return new ClaimRequest(List.of(from), "worker", 1, TERM, Duration.ZERO).withKey(key);
    }

    private static List<ItemLease> leases(List<Claimed> claimed) {
        return claimed.stream().map(Claimed::lease).toList();
    }

    private static void assertConflict(String words, ThrowingCallable call) {
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo("queue.key-conflict"))
                .withMessageContaining(words).withMessageContaining("\"k\"");
    }

    private int keysStored() {
        return store().read(snapshot -> snapshot.query("SELECT key FROM claim_key", row -> row.getString(1))).size();
    }

    @Test
    void claim_whenRepeated_givesTheSameLeasesAndNothingElse() {
        for (int i = 0; i < 5; i++) {
            put(Q, "x" + i);
        }
        List<Claimed> first = claim(keyed("k", Q).withMax(3));
        List<Claimed> again = claim(keyed("k", Q).withMax(3));
        assertThat(leases(again)).isEqualTo(leases(first)).hasSize(3);
        assertThat(texts(again)).containsExactly("x0", "x1", "x2");
        assertThat(first).noneMatch(Claimed::repeated);
        assertThat(again).allMatch(Claimed::repeated);
        assertThat(again).usingRecursiveComparison().ignoringFields("repeated").isEqualTo(first);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(2, 3, 0, 0, 0));
        assertThat(texts(claim(keyed("another", Q).withMax(9)))).containsExactly("x3", "x4");
    }

    @Test
    void claim_whenRepeatedAfterARestart_givesTheSameLeases() {
        put(Q, "x");
        put(Q, "y");
        List<Claimed> first = claim(keyed("k", Q));
        open();
        assertThat(leases(claim(keyed("k", Q)))).isEqualTo(leases(first));
        queues.finish(first.getFirst().lease());
        open();
        assertConflict("is over", () -> claim(keyed("k", Q)));
        assertThat(counts(Q).ready()).isEqualTo(1);
    }

    @Test
    void claim_whenRepeated_beginsTheWholeTermAnew() {
        put(Q, "x");
        List<Claimed> first = claim(keyed("k", Q));
        passAndTick(TERM.minusSeconds(1));
        assertThat(claim(keyed("k", Q)).getFirst().term()).isEqualTo(TERM);
        passAndTick(TERM.minusSeconds(1));
        assertThat(leases(claim(keyed("k", Q)))).isEqualTo(leases(first));
        assertThat(view(first.getFirst().item()).deliveries()).isZero();
    }

    @Test
    void claim_whenSomeOfItHasEnded_givesTheRest() {
        for (int i = 0; i < 4; i++) {
            put(Q, "x" + i);
        }
        List<Claimed> first = claim(keyed("k", Q).withMax(4));
        queues.finish(first.get(0).lease());
        queues.release(first.get(2).lease());
        queues.reset(first.get(3).item());
        assertThat(texts(claim(keyed("k", Q).withMax(4)))).containsExactly("x1");
        assertThat(counts(Q)).isEqualTo(new QueueCounts(2, 1, 0, 0, 0));
    }

    @Test
    void claim_whenAnItemHasGoneToSomebodyElse_doesNotGiveItAgain() {
        put(Q, "x");
        ItemLease first = claim(keyed("k", Q)).getFirst().lease();
        queues.release(first);
        ItemLease other = claim(Q).lease();
        assertThat(other.item()).isEqualTo(first.item());
        assertConflict("is over", () -> claim(keyed("k", Q)));
        queues.renew(other);
    }

    @Test
    void claim_whenAllOfItHasEnded_isRefusedAndTakesNothing() {
        put(Q, "x");
        put(Q, "y");
        queues.finish(claim(keyed("k", Q)).getFirst().lease());
        assertConflict("is over", () -> claim(keyed("k", Q)));
        assertConflict("is over", () -> claim(keyed("k", Q).waiting(LONG)));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
    }

    @Test
    void claim_whenItsLeasesRanOut_isMadeAnew() {
        put(Q, "x");
        List<Claimed> first = claim(keyed("k", Q));
        clocks.pass(TERM);
        // Nobody has noticed yet: it still runs, and begins anew.
        assertThat(leases(claim(keyed("k", Q)))).isEqualTo(leases(first));
        expireAll();
        ItemLease other = claim(Q).lease();
        put(Q, "y");
        List<Claimed> second = claim(keyed("k", Q));
        assertThat(texts(second)).containsExactly("y");
        assertThat(second).noneMatch(Claimed::repeated);
        open();
        assertThat(leases(claim(keyed("k", Q)))).isEqualTo(leases(second));
        queues.renew(other);
        queues.finish(second.getFirst().lease());
        assertConflict("is over", () -> claim(keyed("k", Q)));
    }

    @Test
    void claim_whenItsItemsWereTakenAway_isMadeAnew() {
        put(Q, "x");
        put(Q, "y");
        List<Claimed> first = claim(keyed("k", Q).withMax(2));
        queues.reset(first.get(0).item());
        store().write(Q.owner(), tx -> queues.remove(tx, first.get(1).item(), EnumSet.allOf(ItemState.class), ""));
        assertThat(texts(claim(keyed("k", Q).withMax(2)))).containsExactly("x");
        assertThat(keysStored()).isEqualTo(1);
    }

    @Test
    void claim_whenItsItemsWereTakenAwayAndNothingIsThere_mayBeMadeAgain() {
        put(Q, "x");
        Claimed first = claim(keyed("k", Q)).getFirst();
        store().write(Q.owner(), tx -> queues.remove(tx, first.item(), EnumSet.allOf(ItemState.class), ""));
        assertThat(claim(keyed("k", Q))).isEmpty();
        put(Q, "y");
        assertThat(texts(claim(keyed("k", Q)))).containsExactly("y");
    }

    @Test
    void claim_whenItsHolderHasEndedSomeAndTheRestRanOut_isRefusedAndTakesNothing() {
        put(Q, "x");
        put(Q, "y");
        List<Claimed> first = claim(keyed("k", Q).withMax(2));
        queues.release(first.getFirst().lease());
        ItemLease other = claim(Q).lease();
        expireAll();
        assertThat(other.item()).isEqualTo(first.getFirst().item());
        assertConflict("is over", () -> claim(keyed("k", Q).withMax(2)));
        assertThat(counts(Q).ready()).isEqualTo(2);
    }

    @Test
    void claim_whenWhatItHadWasReleasedAndThenTakenFromSomebodyElse_isRefused() {
        put(Q, "x");
        queues.release(claim(keyed("k", Q)).getFirst().lease());
        Claimed other = claim(Q);
        store().write(Q.owner(), tx -> queues.remove(tx, other.item(), EnumSet.allOf(ItemState.class), ""));
        put(Q, "y");
        assertConflict("is over", () -> claim(keyed("k", Q)));
    }

    @Test
    void claim_whenItWasFromSeveralQueuesAndRanOut_isMadeAnewFromWhatIsThere() {
        put(Q, "q");
        put(R, "r");
        claim(keyed("k", Q, R).withMax(2));
        expireAll();
        queues.finish(claim(Q).lease());
        assertThat(texts(claim(keyed("k", Q, R).withMax(2)))).containsExactly("r");
        assertThat(keysStored()).isEqualTo(1);
    }

    @Test
    void claim_whenItAsksForSomethingElse_isRefusedAndChangesNothing() {
        put(Q, "x");
        put(Q, "y");
        put(R, "z");
        List<Claimed> first = claim(keyed("k", Q));
        assertConflict("another claim", () -> claim(keyed("k", Q).withMax(2)));
        assertConflict("another claim", () -> claim(keyed("k", Q, R)));
        assertConflict("another claim",
                () -> claim(ClaimRequest.of(Q, "worker", TERM.plusMillis(1)).withKey("k")));
        assertConflict("another claim", () -> claim(ClaimRequest.of(Q, "somebody", TERM).withKey("k")));
        assertConflict("another claim",
                () -> queues.claim(first.getFirst().item(), "worker", TERM, Optional.of("k")));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 1, 0, 0, 0));
        assertThat(leases(claim(keyed("k", Q).waiting(LONG)))).isEqualTo(leases(first));
    }

    @Test
    void claim_whenTheKeyIsUsedAtAnotherQueue_isAnotherClaim() {
        put(Q, "x");
        put(OTHER, "y");
        assertThat(texts(claim(keyed("k", Q)))).containsExactly("x");
        assertThat(texts(claim(keyed("k", OTHER)))).containsExactly("y");
        assertThat(texts(claim(keyed("k", Q)))).containsExactly("x");
    }

    @Test
    void claim_whenNothingWasThere_mayBeMadeAgain() {
        put(Q, "x");
        queues.finish(claim(Q).lease());
        assertThat(claim(keyed("k", Q))).isEmpty();
        assertThat(keysStored()).isZero();
        put(Q, "y");
        assertThat(texts(claim(keyed("k", Q)))).containsExactly("y");
    }

    @Test
    void claim_whenFromSeveralQueues_isRepeatedWithAllOfThem() {
        for (int i = 0; i < 3; i++) {
            put(Q, "q" + i);
            put(R, "r" + i);
            put(OTHER, "o" + i);
        }
        ClaimRequest request = keyed("k", Q, R, OTHER).withMax(6);
        List<Claimed> first = claim(request);
        List<Claimed> again = claim(keyed("k", OTHER, Q, R).withMax(6));
        assertThat(leases(again)).containsExactlyInAnyOrderElementsOf(leases(first)).hasSize(6);
        assertThat(keysStored()).isEqualTo(3);
    }

    @RepeatedTest(5)
    void claim_whenManyAskAtOnceWithOneKey_isOneClaim() {
        for (int i = 0; i < 100; i++) {
            put(i % 2 == 0 ? Q : R, "x" + i);
        }
        // Some by way of one queue and some by way of two, and others without a key between them.
        List<List<Claimed>> got = Crowd.run(48, caller -> switch (caller % 3) {
            case 0 -> queues.claim(keyed("one " + caller % 2, Q));
            case 1 -> queues.claim(keyed("two", Q, R).withMax(3));
            default -> queues.claim(ClaimRequest.of(Q, "worker", TERM));
        });
        long different = got.stream().flatMap(List::stream).map(Claimed::lease).distinct().count();
        assertThat(different).isEqualTo(2 + 3 + 16);
        assertThat(counts(Q).held() + counts(R).held()).isEqualTo(different);
        assertThat(got.stream().flatMap(List::stream).filter(one -> !one.repeated()).count()).isEqualTo(different);
    }

    @Test
    void claim_whenManyGatherForOneCommit_isOneClaim() {
        put(Q, "x");
        put(Q, "y");
        put(Q, "z");
        List<List<Claimed>> got = gathered(caller -> caller == 4
                ? ClaimRequest.of(Q, "worker", TERM)
                : keyed("k", Q)).results();
        assertThat(got.stream().flatMap(List::stream).map(Claimed::lease).distinct()).hasSize(2);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 2, 0, 0, 0));
    }

    @Test
    void claim_whenOneOfManyThatGatherIsRefused_theOthersAreServed() {
        put(Q, "x");
        put(Q, "y");
        List<ItemLease> first = leases(claim(keyed("k", Q)));
        Crowd<List<Claimed>> callers = gathered(caller -> switch (caller) {
            case 4 -> ClaimRequest.of(Q, "somebody", TERM).withKey("k");
            case 5 -> keyed("another", Q);
            default -> keyed("k", Q);
        });
        List<Crowd.Outcome<List<Claimed>>> outcomes = callers.outcomes();
        for (int i = 0; i < outcomes.size(); i++) {
            List<Claimed> got = outcomes.get(i).value();
            if (i == 4) {
                assertThat(outcomes.get(i).failure()).isInstanceOf(IdempotencyConflictException.class);
            } else {
                assertThat(got).as("caller %s", i).isNotNull();
                assertThat(leases(got).equals(first)).isEqualTo(i != 5);
            }
        }
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 2, 0, 0, 0));
    }

    /** Nine callers for one commit. */
    private Crowd<List<Claimed>> gathered(IntFunction<ClaimRequest> requests) {
        Crowd<List<Claimed>> callers = new Crowd<>();
        try (Gate _ = new Gate(store())) {
            for (int i = 0; i < 9; i++) {
                ClaimRequest request = requests.apply(i);
                callers.start(() -> queues.claim(request));
            }
            callers.awaitWaiting();
        }
        return callers;
    }

    @RepeatedTest(5)
    void put_whenTheSameClaimWaitsTwice_bothGetTheSameAndNobodyElseSleepsBesideAnItem() {
        Crowd<List<Claimed>> same = Crowd.start(2, _ -> queues.claim(keyed("k", Q).waiting(LONG))).awaitAsleep();
        Crowd<List<Claimed>> other = waiting(1, Q).awaitAsleep();
        put(Q, "x");
        List<List<Claimed>> got = same.results();
        assertThat(leases(got.get(0))).isEqualTo(leases(got.get(1))).hasSize(1);
        put(Q, "y");
        assertThat(texts(other.results().getFirst())).containsExactly("y");
    }

    @RepeatedTest(5)
    void put_whenTwoItemsWakeTheSameClaimTwice_theOtherItemIsForTheNext() {
        Crowd<List<Claimed>> same = Crowd.start(2, _ -> queues.claim(keyed("k", Q).waiting(LONG))).awaitAsleep();
        Crowd<List<Claimed>> other = waiting(1, Q).awaitAsleep();
        store().write(Q.owner(), tx -> queues.put(tx, List.of(item(Q, "x"), item(Q, "y"))));
        List<List<Claimed>> got = same.results();
        assertThat(leases(got.get(0))).isEqualTo(leases(got.get(1))).hasSize(1);
        assertThat(leases(other.results().getFirst())).hasSize(1).doesNotContainAnyElementsOf(leases(got.get(0)));
    }

    @Test
    void claimOfOne_whenRepeated_givesTheSameLease() {
        ItemId item = put(Q, "x");
        ItemId another = put(Q, "y");
        Claimed first = queues.claim(item, "worker", TERM, Optional.of("k"));
        open();
        Claimed again = queues.claim(item, "worker", TERM, Optional.of("k"));
        assertThat(again.lease()).isEqualTo(first.lease());
        assertThat(again.repeated()).isTrue();
        assertConflict("another claim", () -> queues.claim(another, "worker", TERM, Optional.of("k")));
        queues.release(first.lease());
        assertConflict("is over", () -> queues.claim(item, "worker", TERM, Optional.of("k")));
        assertThat(state(item)).isEqualTo(ItemState.READY);
    }

    @Test
    void claimOfOne_whenItsLeaseRanOut_isMadeAnewUnlessSomebodyElseHasIt() {
        ItemId item = put(Q, "x");
        Claimed first = queues.claim(item, "worker", TERM, Optional.of("k"));
        expireAll();
        ItemLease other = claim(Q).lease();
        assertThatExceptionOfType(ItemHeldException.class)
                .isThrownBy(() -> queues.claim(item, "worker", TERM, Optional.of("k")));
        queues.release(other);
        Claimed second = queues.claim(item, "worker", TERM, Optional.of("k"));
        assertThat(second.repeated()).isFalse();
        assertThat(second.lease()).isNotEqualTo(first.lease());
    }

    @Test
    void tick_whenTheTimeIsOver_forgetsKeysOfLeasesThatHaveEndedAndNoOthers() {
        putMany(Q, 1200);
        ClaimRequest hour = ClaimRequest.of(Q, "worker", Duration.ofDays(1));
        for (int i = 0; i < 600; i++) {
            queues.finish(claim(hour.withKey("finished " + i)).getFirst().lease());
            claim(hour.withKey("held " + i));
        }
        passAndTick(Duration.ofMinutes(59));
        assertThat(keysStored()).isEqualTo(1200);
        passAndTick(Duration.ofMinutes(2));
        assertThat(keysStored()).isEqualTo(600);
        assertThat(claim(hour.withKey("held 5"))).hasSize(1);
        assertThat(claim(hour.withKey("finished 5"))).isEmpty();
    }
}
