package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ListRequest;
import io.entrepot.store.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is claimed ahead, for workers who always came back at once: they are served faster, and nobody else notices. */
abstract class AheadContract extends QueueContract {
    private static final Ending DONE = new Ending.Finish(false);
    /** After that long nobody is expected any more. */
    private static final Duration TOO_LONG = Duration.ofMillis(50);

    AheadContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private void putMany(int n) {
        for (int i = 0; i < n; i++) {
            put(Q, "x" + i);
        }
    }

    /** Two of the same name end what they have together, and both come back at once, again and again. */
    private void work(int rounds) {
        for (int i = 0; i < rounds; i++) {
            finish(claim(Q), claim(Q));
        }
    }

    private void finish(Claimed... claimed) {
        List<ItemLease> leases = List.of(claimed).stream().map(Claimed::lease).toList();
        assertThat(queues.endAll(leases, DONE)).allSatisfy(outcome -> assertThat(outcome).isPresent());
    }

    /** Two workers who are trusted by now have just ended something, and {@code left} more items are there: x0, x1 and so on. */
    private void expected(int left) {
        assertThat(queues.endAll(aboutToEnd(left), DONE)).allSatisfy(outcome -> assertThat(outcome).isPresent());
        assertThat(counts(Q).held()).isEqualTo(2);
    }

    /** What two workers have who are trusted by now; {@code left} more items are there. */
    private List<ItemLease> aboutToEnd(int left) {
        for (int i = 0; i < 12; i++) {
            put(Q, "before");
        }
        work(6);
        List<ItemLease> last = List.of(putAndClaim(Q), putAndClaim(Q));
        putMany(left);
        return last;
    }

    private List<Claimed> claimAs(String worker) {
        return claim(ClaimRequest.of(Q, worker, TERM));
    }

    @Test
    void claim_whenWorkersAlwaysCameBackAtOnce_isDurableBeforeTheyAsk() {
        expected(3);
        AtomicInteger commits = new AtomicInteger();
        faults = point -> {
            if (point == Faults.Point.COMMIT) {
                commits.incrementAndGet();
            }
        };
        Claimed first = claim(Q);
        Claimed second = claim(Q);
        assertThat(commits).hasValue(0);
        assertThat(List.of(text(first), text(second))).containsExactly("x0", "x1");
        assertThat(text(claim(Q))).isEqualTo("x2");
        assertThat(commits).hasPositiveValue();
        finish(first, second);
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void claim_whenItWasMadeAhead_hasItsWholeTerm() {
        expected(2);
        clocks.pass(TOO_LONG.minusMillis(1));
        ItemLease lease = claim(Q).lease();
        passAndTick(TERM.minusMillis(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        passAndTick(Duration.ofMillis(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
        assertThat(view(lease.item()).deliveries()).isEqualTo(1);
    }

    @Test
    void claim_whenWorkersHaveNotYetShownThatTheyComeBack_isNotMadeAhead() {
        putMany(20);
        work(2);
        assertThat(counts(Q).held()).isZero();
    }

    @Test
    void claim_whenWorkersTakeTheirTime_isNotMadeAhead() {
        putMany(40);
        for (int i = 0; i < 10; i++) {
            work(1);
            clocks.pass(TOO_LONG);
        }
        assertThat(counts(Q).held()).isZero();
    }

    @Test
    void claim_whenOneIsAlone_isNotMadeAhead() {
        putMany(40);
        for (int i = 0; i < 20; i++) {
            finish(claim(Q));
        }
        assertThat(counts(Q).held()).isZero();
    }

    @Test
    void claim_whenAllThereIsWaitsForOthers_getsIt() {
        expected(2);
        assertThat(texts(claimAs("another"))).containsExactly("x0");
        assertThat(texts(claimAs("another"))).containsExactly("x1");
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void claimOfMany_whenAllThereIsWaitsForOthers_getsIt() {
        expected(2);
        assertThat(texts(claim(Q, 10))).containsExactly("x0", "x1");
    }

    @Test
    void claim_thatWaitsWhileOthersAreExpected_isServed() {
        expected(2);
        Crowd<List<Claimed>> waiting = waiting(2, Q);
        assertThat(waiting.results()).allSatisfy(claimed -> assertThat(claimed).hasSize(1));
    }

    @Test
    void claim_whenSomethingMoreUrgentHasCome_getsThat() {
        expected(3);
        put(item(Q, "urgent").withPriority(9));
        assertThat(List.of(text(claim(Q)), text(claim(Q)), text(claim(Q)), text(claim(Q))))
                .containsExactly("urgent", "x0", "x1", "x2");
    }

    @Test
    void claim_whenTheQueueWasPaused_getsNothing() {
        expected(3);
        queues.pause(Q);
        assertThat(tryClaim(Q)).isEmpty();
        queues.tick();
        assertThat(counts(Q).held()).isZero();
        queues.resume(Q);
        assertThat(order(Q)).containsExactly("x0", "x1", "x2");
    }

    @Test
    void claim_whenTheQueueWasPausedInTheCommitThatEndedWhatItHad_getsNothing() {
        List<ItemLease> last = aboutToEnd(3);
        store().write(Q.owner(), tx -> {
            queues.pause(tx, Q, true);
            return queues.endAll(tx, last, DONE);
        });
        assertThat(tryClaim(Q)).isEmpty();
        queues.tick();
        assertThat(counts(Q).held()).isZero();
        queues.resume(Q);
        assertThat(order(Q)).containsExactly("x0", "x1", "x2");
    }

    @Test
    void tick_whenNobodyCame_givesBackAndLeavesNoTrace() {
        expected(3);
        ItemId item = waitingForAWorker();
        passAndTick(TOO_LONG);
        assertThat(counts(Q).held()).isZero();
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.attempts()).isZero();
            assertThat(view.deliveries()).isZero();
        });
        assertThat(queues.history(item)).extracting(HistoryStep::what).containsExactly("put");
        assertThat(order(Q)).containsExactly("x0", "x1", "x2");
    }

    /** Which item waits for a worker, found without asking for it. */
    private ItemId waitingForAWorker() {
        return queues.list(ListRequest.of(Q).in(ItemState.HELD)).items().getFirst().id();
    }

    @Test
    void claim_whenSomebodyDidNotComeBack_isNotMadeAheadForALongTime() {
        expected(3);
        passAndTick(TOO_LONG);
        putMany(200);
        work(40);
        assertThat(counts(Q).held()).isZero();
        work(40);
        assertThat(counts(Q).held()).isEqualTo(2);
    }

    @Test
    void reset_ofWhatWaitsForAWorker_isReadyAtOnce() {
        expected(2);
        ItemId item = waitingForAWorker();
        queues.reset(item);
        assertThat(state(item)).isEqualTo(ItemState.READY);
    }

    @Test
    void claimByName_ofWhatWaitsForAWorker_isGiven() {
        expected(2);
        ItemId item = waitingForAWorker();
        ItemLease lease = queues.claim(item, "another", TERM).lease();
        queues.finish(lease);
        assertThat(texts(claimAs("another"))).containsExactly("x1");
    }

    @Test
    void remove_ofWhatWaitsForAWorker_isDone() {
        expected(2);
        ItemId item = waitingForAWorker();
        assertThat(store().<Boolean>write(Q.owner(),
                tx -> queues.remove(tx, item, Set.of(ItemState.READY), "unwanted"))).isTrue();
        assertThat(text(claim(Q))).isEqualTo("x1");
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void remove_whenTheCallerFails_leavesItForWhoeverAsks() {
        expected(2);
        ItemId item = waitingForAWorker();
        assertThatThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.remove(tx, item, Set.of(ItemState.READY), "unwanted");
            throw new IllegalStateException("no");
        })).hasMessage("no");
        assertThat(List.of(text(claim(Q)), text(claim(Q)))).containsExactlyInAnyOrder("x0", "x1");
    }

    @Test
    void end_whenTheCallerFails_hasClaimedNothingAhead() {
        List<ItemLease> last = aboutToEnd(2);
        assertThatThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.endAll(tx, last, DONE);
            throw new IllegalStateException("no");
        })).hasMessage("no");
        assertThat(counts(Q).ready()).isEqualTo(2);
        assertThat(counts(Q).held()).isEqualTo(2);
        assertThat(queues.endAll(last, DONE)).allSatisfy(one -> assertThat(one).isPresent());
        assertThat(List.of(text(claim(Q)), text(claim(Q)))).containsExactly("x0", "x1");
    }

    @Test
    void close_whenNobodyCame_givesBack() {
        expected(3);
        open();
        assertThat(counts(Q).held()).isZero();
        assertThat(order(Q)).containsExactly("x0", "x1", "x2");
    }

    @Test
    void everything_whenManyWorkAtOnce_isHandedOutOnceInOrder() {
        int items = 3000;
        Crowd.run(8, putter -> {
            for (int i = putter; i < items; i += 8) {
                put(Q, "x");
            }
            return putter;
        });
        List<List<ItemLease>> all = Crowd.run(16, worker -> {
            List<ItemLease> mine = new ArrayList<>();
            for (List<Claimed> claimed = claimAs("w" + worker % 3); !claimed.isEmpty(); claimed = claimAs(
                    "w" + worker % 3)) {
                mine.add(claimed.getFirst().lease());
                queues.finish(claimed.getFirst().lease());
            }
            return mine;
        });
        assertThat(all.stream().flatMap(List::stream).map(ItemLease::item)).hasSize(items).doesNotHaveDuplicates();
        passAndTick(TOO_LONG);
        assertThat(counts(Q).ready() + counts(Q).held()).isZero();
    }
}
