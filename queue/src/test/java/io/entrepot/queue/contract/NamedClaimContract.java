package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemNotClaimableException;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueException;
import io.entrepot.queue.QueuePausedException;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.StoreClosedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of a certain item. */
abstract class NamedClaimContract extends QueueContract {

    NamedClaimContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private Claimed claim(ItemId item) {
        return queues.claim(item, "someone", TERM);
    }

    private void assertRefused(ItemId item, Class<? extends QueueException> type, String code, String... says) {
        assertThatExceptionOfType(type).isThrownBy(() -> claim(item))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code))
                .satisfies(e -> assertThat(e).hasMessageContainingAll(says));
        assertSound();
    }

    @Test
    void claim_whenReady_isHeldLikeAnyOtherAndTheRestKeepsItsOrder() {
        put(Q, "a");
        ItemId item = put(item(Q, "b").withKey("k").withPriority(-3));
        put(Q, "c");
        Instant created = now();
        clocks.pass(Duration.ofSeconds(1));
        Claimed claimed = claim(item);
        assertThat(claimed.item()).isEqualTo(item);
        assertThat(claimed.queue()).isEqualTo(Q);
        assertThat(text(claimed)).isEqualTo("b");
        assertThat(claimed.key()).contains("k");
        assertThat(claimed.priority()).isEqualTo(-3);
        assertThat(claimed.created()).isEqualTo(created);
        assertThat(claimed.term()).isEqualTo(TERM);
        assertThat(claimed.lease().fence().epoch().value()).isOne();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(2, 1, 0, 0, 0));
        assertThat(view(item).holder()).contains("someone");
        assertThat(view(item).since()).isEqualTo(now());
        assertThat(order(Q)).containsExactly("a", "c");
        assertThat(queues.finish(claimed.lease()).kind()).isEqualTo(Outcome.Kind.FINISHED);
        assertThat(queues.history(item)).extracting(HistoryStep::what).containsExactly("put", "claimed", "finished");
        assertThat(queues.history(item)).extracting(HistoryStep::holder).containsExactly("", "someone", "someone");
    }

    @Test
    void claim_whenReleased_isBackInItsPlace() {
        put(Q, "a");
        ItemId item = put(Q, "b");
        put(Q, "c");
        Claimed claimed = claim(item);
        clocks.pass(Duration.ofSeconds(1));
        queues.release(claimed.lease());
        assertThat(order(Q)).containsExactly("a", "b", "c");
    }

    @Test
    void claim_whenTheTermIsOver_runsOutAndCounts() {
        ItemId item = put(Q, "x");
        Claimed claimed = claim(item);
        clocks.pass(TERM.minusMillis(1));
        queues.renew(claimed.lease());
        passAndTick(TERM.minusMillis(1));
        assertThat(state(item)).isEqualTo(ItemState.HELD);
        passAndTick(Duration.ofMillis(1));
        assertThat(view(item).deliveries()).isOne();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(claimed.lease()));
        assertThat(claim(item).lease().fence().epoch().value()).isEqualTo(2);
    }

    @Test
    void claim_whenRestarted_isStillHeld() {
        ItemId item = put(item(Q, "x").withAvailableAt(now().plusSeconds(100)));
        Claimed claimed = claim(item);
        open();
        assertThat(state(item)).isEqualTo(ItemState.HELD);
        passAndTick(TERM.minusMillis(1));
        assertThat(queues.finish(claimed.lease()).repeated()).isFalse();
    }

    @Test
    void claim_whenDelayed_doesNotWaitForItsTime() {
        ItemId item = put(Q, "x");
        queues.fail(claim(Q).lease(), "e");
        assertThat(state(item)).isEqualTo(ItemState.DELAYED);
        Claimed claimed = claim(item);
        assertThat(claimed.attempts()).isOne();
        assertThat(claimed.lease().fence().epoch().value()).isEqualTo(2);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 1, 0, 0, 0));
        // Nothing of it is left to become due.
        passAndTick(Duration.ofSeconds(30));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 1, 0, 0, 0));
        fail(claimed.lease(), "e", RetryPolicy.fixed(Duration.ofSeconds(1), 3));
        assertThat(view(item).attempts()).isEqualTo(2);
        assertThat(state(item)).isEqualTo(ItemState.DELAYED);
    }

    @Test
    void claim_whenDelayedAndThenReleased_isReadyInThePlaceOfWhenItWasClaimed() {
        ItemId item = put(item(Q, "later").withAvailableAt(now().plusSeconds(1000)));
        put(Q, "before");
        clocks.pass(Duration.ofSeconds(1));
        Claimed claimed = claim(item);
        clocks.pass(Duration.ofSeconds(1));
        put(Q, "after");
        queues.release(claimed.lease());
        assertThat(order(Q)).containsExactly("before", "later", "after");
    }

    @Test
    void claim_whenHeld_isRefusedAndSaysByWhom() {
        ItemId item = put(Q, "x");
        Claimed first = queues.claim(item, "the first", TERM);
        Instant since = now();
        clocks.pass(Duration.ofSeconds(1));
        assertRefused(item, ItemHeldException.class, "queue.item-held", item.toString(), "the first",
                since.toString());
        queues.pause(Q);
        assertRefused(item, ItemHeldException.class, "queue.item-held", "the first");
        queues.finish(first.lease());
    }

    @Test
    void claim_whenKeptOrDead_isRefusedUntilItIsReset() {
        ItemId kept = put(Q, "x");
        queues.keep(claim(kept).lease());
        assertRefused(kept, ItemNotClaimableException.class, "queue.not-claimable", kept.toString(), "kept", "reset");
        ItemId dead = put(Q, "x");
        kill(claim(dead).lease());
        assertRefused(dead, ItemNotClaimableException.class, "queue.not-claimable", dead.toString(), "dead", "reset");
        queues.reset(dead);
        assertThat(claim(dead).item()).isEqualTo(dead);
    }

    @Test
    void claim_whenThereIsNoSuchItem_isRefused() {
        ItemId item = put(Q, "x");
        ItemId none = new ItemId(Q.owner(), item.number() + 1);
        assertRefused(none, ItemNotFoundException.class, "queue.no-such-item", none.toString());
        assertRefused(new ItemId(OTHER.owner(), item.number()), ItemNotFoundException.class, "queue.no-such-item",
                OTHER.owner().name());
        queues.finish(claim(item).lease());
        assertRefused(item, ItemNotFoundException.class, "queue.no-such-item", item.toString());
    }

    @Test
    void claim_whenTheQueueIsPaused_isRefused() {
        ItemId item = put(Q, "x");
        queues.pause(Q);
        assertRefused(item, QueuePausedException.class, "queue.paused", Q.toString());
        queues.resume(Q);
        assertThat(claim(item).item()).isEqualTo(item);
    }

    @Test
    void claim_whenTheHolderOrTheTermIsWrong_isRefused() {
        ItemId item = put(Q, "x");
        assertThatIllegalArgumentException().isThrownBy(() -> queues.claim(item, "a\tb", TERM))
                .withMessageContaining("a holder has a name");
        assertThatIllegalArgumentException().isThrownBy(() -> queues.claim(item, "w", Duration.ZERO))
                .withMessageContaining("a term is from 1 ms");
        assertThat(state(item)).isEqualTo(ItemState.READY);
    }

    @Test
    void claim_whenClosed_isRefused() {
        ItemId item = put(Q, "x");
        queues.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> claim(item));
        open();
    }

    @Test
    void claim_whenManyWantTheSameAndOthersAny_eachItemHasOneHolder() {
        List<ItemId> items = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            items.add(put(Q, "x"));
        }
        List<List<ItemId>> got = Crowd.run(16, caller -> caller % 4 == 0
                ? Stream.generate(() -> tryClaim(Q)).limit(10).flatMap(Optional::stream).map(Claimed::item).toList()
                : items.stream().map(this::claimIfFree).filter(Objects::nonNull).toList());
        assertThat(got.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(items);
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 40, 0, 0, 0));
    }

    private ItemId claimIfFree(ItemId item) {
        try {
            return claim(item).item();
        } catch (ItemHeldException e) {
            return null;
        }
    }
}
