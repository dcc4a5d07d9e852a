package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Placed;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading the queue within what the caller reads or writes. */
abstract class FindContract extends QueueContract {

    FindContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private Map<ItemId, ItemView> find(Collection<ItemId> items) {
        return store().read(snapshot -> queues.find(snapshot, items));
    }

    private List<ItemId> parked(ItemState state, Instant before, int max) {
        return store().read(snapshot -> queues.parkedBefore(snapshot, Q, state, before, max));
    }

    private ItemId kept() {
        ItemLease lease = putAndClaim(Q);
        queues.keep(lease);
        return lease.item();
    }

    @Test
    void find_whenMany_areThoseThatAreThereInTheOrderAskedFor() {
        List<ItemId> items = new ArrayList<>(List.of(kept()));
        List<Placed> placed = store().write(Q.owner(), tx -> queues.put(tx, Collections.nCopies(1500,
                NewItem.of(Q, new byte[3]))));
        placed.forEach(one -> items.add(one.item()));
        items.add(put(item(R, "x").withAvailableAt(now().plusSeconds(9))));
        items.add(put(OTHER, "x"));
        ItemLease held = claim(OTHER).lease();
        ItemLease gone = claim(Q).lease();
        queues.finish(gone);
        Collections.reverse(items);
        List<ItemId> asked = new ArrayList<>(items);
        asked.add(3, new ItemId(Q.owner(), items.getFirst().number() + 1000));
        asked.add(5, new ItemId(OTHER.owner(), items.get(7).number()));
        asked.add(items.getLast());
        items.remove(gone.item());
        Map<ItemId, ItemView> found = find(asked);
        assertThat(found.keySet()).containsExactlyElementsOf(items);
        for (ItemId item : items.subList(0, 10)) {
            assertThat(found.get(item)).isEqualTo(view(item));
        }
        assertThat(found.get(held.item()).state()).isEqualTo(ItemState.HELD);
        assertThat(find(List.of())).isEmpty();
    }

    /** What is there while the caller reads does not change under it. */
    @Test
    void find_whenThingsMoveMeanwhile_isAsInTheCallersSnapshot() {
        ItemId item = put(Q, "x");
        store().read(snapshot -> {
            assertThat(snapshot.query("SELECT 1 FROM item", row -> row.getInt(1))).hasSize(1);
            Crowd.run(1, _ -> queues.finish(claim(Q).lease()));
            assertThat(queues.find(snapshot, List.of(item)).get(item).state()).isEqualTo(ItemState.READY);
            return 0;
        });
        assertThat(find(List.of(item))).isEmpty();
    }

    @Test
    void find_whenInTheCallersTransaction_seesWhatItHasDone() {
        store().write(Q.owner(), tx -> {
            ItemId item = queues.put(tx, item(Q, "x")).item();
            assertThat(queues.find(tx, List.of(item)).get(item).state()).isEqualTo(ItemState.READY);
            assertThat(queues.parkedBefore(tx, Q, ItemState.DEAD, Instant.MAX, 1)).isEmpty();
            queues.remove(tx, item, EnumSet.allOf(ItemState.class), "");
            assertThat(queues.find(tx, List.of(item))).isEmpty();
            return 0;
        });
    }

    @Test
    void parkedBefore_whenSomeAreOldEnough_namesThoseOldestFirst() {
        List<ItemId> kept = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            kept.add(kept());
            kill(putAndClaim(Q));
            clocks.pass(Duration.ofSeconds(1));
        }
        Instant young = now();
        kept();
        assertThat(parked(ItemState.KEPT, young, 100)).isEqualTo(kept);
        assertThat(parked(ItemState.KEPT, young.minusSeconds(2), 100)).isEqualTo(kept.subList(0, 2));
        assertThat(parked(ItemState.KEPT, Instant.MAX, 3)).isEqualTo(kept.subList(0, 3));
        assertThat(parked(ItemState.DEAD, Instant.MAX, 100)).hasSize(4).doesNotContainAnyElementsOf(kept);
        assertThat(parked(ItemState.DEAD, Instant.MIN, 100)).isEmpty();
        assertThat(store().<List<ItemId>>read(
                snapshot -> queues.parkedBefore(snapshot, R, ItemState.DEAD, Instant.MAX, 1))).isEmpty();
        assertThat(queues.status(R)).isEmpty();
    }

    /** As a caller does it that has rows of its own for each item. */
    @Test
    void parkedBefore_whenRemovedInPortions_comesToAnEnd() {
        for (int i = 0; i < 7; i++) {
            kept();
        }
        List<Integer> portions = new ArrayList<>();
        for (int n = 3; n == 3;) {
            n = store().write(Q.owner(), tx -> {
                List<ItemId> some = queues.parkedBefore(tx, Q, ItemState.KEPT, Instant.MAX, 3);
                some.forEach(item -> assertThat(queues.remove(tx, item, EnumSet.of(ItemState.KEPT), "old")).isTrue());
                return some.size();
            });
            portions.add(n);
        }
        assertThat(portions).containsExactly(3, 3, 1);
        assertThat(counts(Q).total()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = ItemState.class, names = {"READY", "HELD", "DELAYED"})
    void parkedBefore_whenTheStateIsInUse_isRefused(ItemState state) {
        assertThatIllegalArgumentException().isThrownBy(() -> parked(state, Instant.MAX, 1))
                .withMessageContaining(state.name());
    }

    @Test
    void parkedBefore_whenNoneOrTooManyAreAskedFor_isRefused() {
        for (int max : List.of(0, -1, 1001)) {
            assertThatIllegalArgumentException().isThrownBy(() -> parked(ItemState.DEAD, Instant.MAX, max))
                    .withMessageContaining("not " + max);
        }
    }

    @Test
    void lastFailedAt_whateverHappensAfter_isThatOfTheLastError() {
        ItemId item = put(Q, "x");
        assertThat(view(item).lastFailedAt()).isEmpty();
        Claimed first = claim(Q);
        clocks.pass(Duration.ofSeconds(1));
        Instant failed = now();
        fail(first.lease(), "e", RetryPolicy.fixed(Duration.ofSeconds(5), 9));
        assertThat(view(item).lastFailedAt()).contains(failed);
        passAndTick(Duration.ofSeconds(5));
        queues.release(claim(Q).lease());
        ItemLease lease = claim(Q).lease();
        assertThat(view(item).lastFailedAt()).contains(failed);
        assertThat(view(item).lastError()).contains("e");
        expireAll();
        assertThat(view(item).lastFailedAt()).contains(now());
        queues.keep(claim(Q).lease());
        assertThat(view(item).lastFailedAt()).isEmpty();
        queues.reset(lease.item());
        queues.end(claim(Q).lease(), new Ending.Fail("", false, RetryPolicy.DEFAULT));
        assertThat(view(item).lastFailedAt()).contains(now());
        queues.reset(item);
        assertThat(view(item).lastFailedAt()).isEmpty();
    }
}
