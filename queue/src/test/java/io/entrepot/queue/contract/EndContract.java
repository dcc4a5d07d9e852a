package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Outcome.Kind;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every ending is fenced, and the first one counts. */
abstract class EndContract extends QueueContract {
    static final Ending FINISH = new Ending.Finish(false);
    static final Ending KEEP = new Ending.Finish(true);
    static final Ending FAIL = new Ending.Fail("broken", true, RetryPolicy.DEFAULT);
    static final Ending FAIL_NOW = new Ending.Fail("again", true, RetryPolicy.fixed(Duration.ZERO, 5));
    static final Ending KILL = new Ending.Fail("hopeless", false, RetryPolicy.DEFAULT);
    static final Ending RELEASE = new Ending.Release();
    static final Ending PUT_OFF = new Ending.PutOff("not now", Duration.ofSeconds(30));

    EndContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    static Stream<Ending> endings() {
        return Stream.of(FINISH, KEEP, FAIL, FAIL_NOW, KILL, RELEASE, PUT_OFF);
    }

    static Stream<Arguments> pairs() {
        return endings().flatMap(first -> endings().map(second -> Arguments.of(first, second)));
    }

    private static Kind kind(Ending ending) {
        return switch (ending) {
            case Ending.Finish(boolean keep) -> keep ? Kind.KEPT : Kind.FINISHED;
            case Ending.Fail(String _, boolean retryable, RetryPolicy _) -> retryable ? Kind.RETRYING : Kind.DEAD;
            case Ending.Release _ -> Kind.RELEASED;
            case Ending.PutOff _ -> Kind.PUT_OFF;
        };
    }

    private void assertLost(ItemLease lease, Ending ending) {
        QueueCounts before = counts(Q);
        List<HistoryStep> history = queues.history(lease.item());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.end(lease, ending));
        assertThat(queues.endAll(List.of(lease), ending)).containsExactly(Optional.empty());
        assertThat(counts(Q)).isEqualTo(before);
        assertThat(queues.history(lease.item())).isEqualTo(history);
    }

    @Test
    void finish_whenCurrent_removesTheItem() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(Duration.ofSeconds(5));
        assertThat(queues.finish(lease)).isEqualTo(new Outcome(Kind.FINISHED, now(), false));
        assertThat(queues.find(lease.item())).isEmpty();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 0, 0));
    }

    @Test
    void keep_whenCurrent_keepsTheItemAside() {
        ItemLease lease = putAndClaim(Q);
        assertThat(queues.keep(lease)).isEqualTo(new Outcome(Kind.KEPT, now(), false));
        assertThat(state(lease.item())).isEqualTo(ItemState.KEPT);
        assertThat(tryClaim(Q)).isEmpty();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 1, 0));
    }

    @Test
    void release_whenCurrent_makesItReadyAndCountsNothing() {
        ItemLease lease = putAndClaim(Q);
        assertThat(queues.release(lease)).isEqualTo(new Outcome(Kind.RELEASED, now(), false));
        Claimed again = claim(Q);
        assertThat(again.attempts()).isZero();
        assertThat(again.deliveries()).isZero();
        assertThat(again.lease().fence().epoch()).isEqualTo(lease.fence().epoch().next());
    }

    @Test
    void putOff_howeverOften_waitsAndCountsNothing() {
        ItemLease failed = putAndClaim(Q);
        queues.fail(failed, "broken");
        clocks.pass(Duration.ofSeconds(5));
        queues.tick();
        for (int i = 0; i < 20; i++) {
            Claimed claimed = claim(Q);
            assertThat(claimed.attempts()).isEqualTo(1);
            assertThat(claimed.deliveries()).isZero();
            assertThat(queues.putOff(claimed.lease(), "the printer is off", Duration.ofSeconds(30)))
                    .isEqualTo(new Outcome(Kind.PUT_OFF, now(), false));
            assertThat(state(failed.item())).isEqualTo(ItemState.DELAYED);
            assertThat(queues.find(failed.item()).orElseThrow().lastError()).contains("the printer is off");
            clocks.pass(Duration.ofSeconds(29));
            queues.tick();
            assertThat(tryClaim(Q)).isEmpty();
            clocks.pass(Duration.ofSeconds(1));
            queues.tick();
        }
        assertThat(queues.history(failed.item()).getLast().what()).isEqualTo("put-off");
        assertThat(queues.history(failed.item()).getLast().note()).contains("the printer is off");
    }

    @Test
    void putOff_forNoTime_goesToTheBack() {
        ItemLease lease = putAndClaim(Q);
        ItemId next = put(Q, "next");
        clocks.pass(Duration.ofSeconds(1));
        queues.putOff(lease, "not now", Duration.ZERO);
        assertThat(claim(Q).item()).isEqualTo(next);
        assertThat(claim(Q).item()).isEqualTo(lease.item());
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenNotTheFence_isRefusedAndChangesNothing(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        Fence fence = lease.fence();
        assertLost(new ItemLease(lease.item(), new Fence(fence.epoch(), fence.nonce() ^ 1)), ending);
        assertLost(new ItemLease(lease.item(), new Fence(fence.epoch().next(), fence.nonce())), ending);
        assertLost(new ItemLease(new ItemId(Q.owner(), lease.item().number() + 1), fence), ending);
        assertThat(queues.end(lease, ending).repeated()).isFalse();
    }

    /** A lease names the owner as well: whoever asks in another one's name gets nothing, even with the right fence. */
    @ParameterizedTest
    @MethodSource("endings")
    void end_whenInTheNameOfAnotherOwner_isRefusedAndChangesNothing(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        put(OTHER, "x");
        ItemLease stolen = new ItemLease(new ItemId(OTHER.owner(), lease.item().number()), lease.fence());
        assertLost(stolen, ending);
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        assertThat(queues.end(lease, ending)).isEqualTo(new Outcome(kind(ending), now(), false));
        assertLost(stolen, ending);
    }

    @Test
    void end_whenRightAndWrongOwnerComeTogether_onlyTheRightOneHasAnEffect() {
        ItemLease lease = putAndClaim(Q);
        ItemLease stolen = new ItemLease(new ItemId(OTHER.owner(), lease.item().number()), lease.fence());
        put(OTHER, "x");
        Crowd<List<Optional<Outcome>>> callers = new Crowd<>();
        try (Gate _ = new Gate(store())) {
            callers.start(() -> queues.endAll(List.of(stolen), FINISH));
            callers.awaitWaiting();
            callers.start(() -> queues.endAll(List.of(lease), FINISH));
            callers.awaitWaiting();
        }
        assertThat(callers.results()).containsExactly(List.of(Optional.empty()),
                List.of(Optional.of(new Outcome(Kind.FINISHED, now(), false))));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenTheLeaseRanOut_isRefusedEvenIfNobodyElseHasTheItem(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        expireAll();
        assertLost(lease, ending);
        open();
        assertLost(lease, ending);
        claim(Q);
        assertLost(lease, ending);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenTheItemWasReset_isRefused(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        queues.reset(lease.item());
        assertLost(lease, ending);
        claim(Q);
        assertLost(lease, ending);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void end_whenEndedBefore_givesTheFirstOutcomeAndChangesNothing(Ending first, Ending second) {
        ItemLease lease = putAndClaim(Q);
        Outcome outcome = queues.end(lease, first);
        assertThat(outcome).isEqualTo(new Outcome(kind(first), now(), false));
        QueueCounts counts = counts(Q);
        List<HistoryStep> history = queues.history(lease.item());
        Outcome repeated = new Outcome(outcome.kind(), outcome.at(), true);

        clocks.pass(Duration.ofSeconds(1));
        assertThat(queues.end(lease, second)).isEqualTo(repeated);
        assertThat(queues.end(lease, second)).isEqualTo(repeated);
        assertThat(queues.endAll(List.of(lease, lease), second)).containsOnly(Optional.of(repeated));
        assertThat(counts(Q)).isEqualTo(counts);
        assertThat(queues.history(lease.item())).isEqualTo(history);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenRepeatedAfterARestart_givesTheFirstOutcome(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        Outcome outcome = queues.end(lease, ending);
        open();
        clocks.pass(Duration.ofDays(6));
        queues.tick();
        assertThat(queues.end(lease, RELEASE)).isEqualTo(new Outcome(outcome.kind(), outcome.at(), true));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenRepeatedAfterTheMemory_isRefused(Ending ending) {
        ItemLease lease = putAndClaim(Q);
        queues.end(lease, ending);
        clocks.pass(config.memory().minusSeconds(1));
        queues.tick();
        assertThat(queues.end(lease, ending).repeated()).isTrue();
        clocks.pass(Duration.ofDays(1).plusSeconds(1));
        assertLost(lease, ending);
        queues.tick();
        assertLost(lease, ending);
        long remembered = store().read(
                snapshot -> snapshot.query("SELECT 1 FROM past UNION ALL SELECT 1 FROM gone", row -> row.getLong(1)))
                .size();
        assertThat(remembered).isZero();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whenTheItemHasAnotherHolderBySince_givesTheFirstOutcomeAndLeavesTheHolderAlone(Ending ending) {
        ItemLease first = putAndClaim(Q);
        queues.release(first);
        ItemLease second = claim(Q).lease();
        assertThat(queues.end(first, ending)).isEqualTo(new Outcome(Kind.RELEASED, now(), true));
        queues.renew(second);
        assertThat(queues.end(second, ending)).isEqualTo(new Outcome(kind(ending), now(), false));
        assertThat(queues.end(first, ending)).isEqualTo(new Outcome(Kind.RELEASED, now(), true));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void endAll_whenALeaseIsThereTwice_endsItOnce(Ending ending) {
        ItemLease a = putAndClaim(Q);
        ItemLease b = putAndClaim(Q);
        Outcome done = new Outcome(kind(ending), now(), false);
        Outcome repeated = new Outcome(kind(ending), now(), true);
        assertThat(queues.endAll(List.of(a, b, a, a), ending)).containsExactly(Optional.of(done), Optional.of(done),
                Optional.of(repeated), Optional.of(repeated));
    }

    @Test
    void endAll_whenSomeAreLost_endsTheOthers() {
        ItemLease good = putAndClaim(Q);
        ItemLease wrong = new ItemLease(good.item(), new Fence(good.fence().epoch(), good.fence().nonce() + 1));
        ItemLease reset = putAndClaim(Q);
        queues.reset(reset.item());
        ItemLease released = putAndClaim(R);
        queues.release(released);
        assertThat(queues.endAll(List.of(wrong, reset, good, released), FINISH)).containsExactly(Optional.empty(),
                Optional.empty(), Optional.of(new Outcome(Kind.FINISHED, now(), false)),
                Optional.of(new Outcome(Kind.RELEASED, now(), true)));
    }

    @Test
    void endAll_whenThereAreMany_endsAll() {
        List<ItemLease> leases = new ArrayList<>();
        Crowd.run(10, _ -> {
            for (int i = 0; i < 70; i++) {
                put(Q, "x");
            }
            return 0;
        });
        claim(Q, 1000).forEach(claimed -> leases.add(claimed.lease()));
        assertThat(queues.endAll(leases, FINISH)).hasSize(700)
                .containsOnly(Optional.of(new Outcome(Kind.FINISHED, now(), false)));
        assertThat(counts(Q).total()).isZero();
        assertThat(queues.endAll(List.of(), FINISH)).isEmpty();
    }

    @Test
    void endAll_whenOfSeveralOwners_isRefused() {
        ItemLease a = putAndClaim(Q);
        ItemLease b = putAndClaim(OTHER);
        assertThatIllegalArgumentException().isThrownBy(() -> queues.endAll(List.of(a, b), FINISH))
                .withMessageContaining("one owner");
    }

    @Test
    void endAll_whenTooMany_isRefused() {
        ItemLease lease = putAndClaim(Q);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queues.endAll(java.util.Collections.nCopies(1001, lease), FINISH))
                .withMessageContaining("1000");
        queues.finish(lease);
    }

    @Test
    void end_whenManyThreadsEndOneLease_oneHasTheEffect() {
        List<Ending> endings = endings().toList();
        for (int round = 0; round < 20; round++) {
            ItemLease lease = putAndClaim(Q);
            Crowd<Outcome> callers;
            try (Gate _ = new Gate(store())) {
                callers = Crowd.start(24, caller -> queues.end(lease, endings.get(caller % endings.size())));
                callers.awaitWaiting();
            }
            List<Outcome> outcomes = callers.results();
            assertThat(outcomes).filteredOn(outcome -> !outcome.repeated()).hasSize(1);
            assertThat(outcomes).extracting(Outcome::kind).containsOnly(outcomes.getFirst().kind());
            if (queues.find(lease.item()).isPresent()) {
                queues.reset(lease.item());
                queues.finish(claim(Q).lease());
            }
        }
        assertThat(counts(Q).total()).isZero();
    }

    @Test
    void end_whenManyThreadsEndManyLeases_eachHasOneEffect() {
        for (int i = 0; i < 50; i++) {
            put(Q, "x");
        }
        List<Claimed> claimed = claim(Q, 50);
        List<List<Outcome>> outcomes = Crowd.run(16, caller -> {
            List<Outcome> mine = new ArrayList<>();
            for (Claimed one : caller % 2 == 0 ? claimed : claimed.reversed()) {
                mine.add(queues.finish(one.lease()));
            }
            return caller % 2 == 0 ? mine : mine.reversed();
        });
        for (int i = 0; i < 50; i++) {
            int item = i;
            assertThat(outcomes).filteredOn(mine -> !mine.get(item).repeated()).hasSize(1);
        }
        assertThat(counts(Q).total()).isZero();
    }
}
