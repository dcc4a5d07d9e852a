package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listing: filters, and pages that stay right while things move. */
abstract class ListContract extends QueueContract {

    ListContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    /** All pages, with something happening between them. */
    private List<ItemView> pages(ListRequest request, Runnable between) {
        List<ItemView> all = new ArrayList<>();
        ListRequest next = request;
        while (true) {
            ItemPage page = queues.list(next);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(request.limit());
            all.addAll(page.items());
            if (page.cursor().isEmpty()) {
                return all;
            }
            assertThat(page.items()).hasSize(request.limit());
            between.run();
            next = request.after(page.cursor());
        }
    }

    private List<ItemId> ids(ListRequest request) {
        return pages(request, () -> {}).stream().map(ItemView::id).toList();
    }

    /** So many items in each state, of the queue. */
    private Map<ItemState, List<ItemId>> fill(QueueName queue, int each) {
        Map<ItemState, List<ItemId>> made = new EnumMap<>(ItemState.class);
        for (ItemState state : List.of(ItemState.KEPT, ItemState.DEAD, ItemState.DELAYED, ItemState.HELD)) {
            putAll(IntStream.range(0, each).mapToObj(i -> item(queue, state + " " + i)).toList());
            List<ItemLease> leases = new ArrayList<>();
            while (leases.size() < each) {
                leases.addAll(claim(queue, Math.min(1000, each - leases.size())).stream().map(Claimed::lease).toList());
            }
            made.put(state, leases.stream().map(ItemLease::item).toList());
            Ending ending = switch (state) {
                case KEPT -> EndContract.KEEP;
                case DEAD -> EndContract.KILL;
                default -> EndContract.FAIL;
            };
            for (int i = 0; i < leases.size() && state != ItemState.HELD; i += 1000) {
                clocks.pass(Duration.ofMillis(1));
                queues.endAll(leases.subList(i, Math.min(leases.size(), i + 1000)), ending);
            }
        }
        List<ItemId> ready = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            ready.add(put(item(queue, "READY " + i).withPriority(i % 3)));
        }
        made.put(ItemState.READY, ready);
        return made;
    }

    @ParameterizedTest
    @EnumSource(ItemState.class)
    void list_whenFilteredByState_hasThoseAndNoOthers(ItemState state) {
        Map<ItemState, List<ItemId>> made = fill(Q, 7);
        fill(R, 3);
        List<ItemView> listed = pages(ListRequest.of(Q).in(state).withLimit(2), () -> {});
        assertThat(listed).extracting(ItemView::state).containsOnly(state);
        assertThat(listed).extracting(ItemView::queue).containsOnly(Q);
        assertThat(listed).extracting(ItemView::id).containsExactlyInAnyOrderElementsOf(made.get(state));
    }

    @Test
    void list_whenNotFiltered_hasAllOfTheQueue() {
        Map<ItemState, List<ItemId>> made = fill(Q, 5);
        fill(R, 3);
        List<ItemId> all = made.values().stream().flatMap(List::stream).toList();
        for (int limit : new int[]{1, 2, 3, 7, 24, 25, 26, 1000}) {
            assertThat(ids(ListRequest.of(Q).withLimit(limit))).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void list_whenReady_isInTheOrderInWhichItemsAreHandedOut() {
        fill(Q, 30);
        List<ItemId> listed = ids(ListRequest.of(Q).in(ItemState.READY).withLimit(4));
        assertThat(claim(Q, 100)).extracting(Claimed::item).isEqualTo(listed);
    }

    @Test
    void list_whenAListedItemIsFound_bothSayTheSame() {
        fill(Q, 3);
        assertThat(queues.list(ListRequest.of(Q)).items()).hasSize(15)
                .allSatisfy(view -> assertThat(queues.find(view.id())).contains(view));
    }

    @Test
    void list_whenFilteredByHolder_hasWhatThatOneHolds() {
        for (int i = 0; i < 20; i++) {
            put(Q, "x");
            put(R, "x");
        }
        List<ItemId> annas = claim(ClaimRequest.of(Q, "anna", TERM).withMax(7)).stream().map(Claimed::item).toList();
        claim(ClaimRequest.of(Q, "bert", TERM).withMax(5));
        claim(ClaimRequest.of(R, "anna", TERM).withMax(2));
        assertThat(ids(ListRequest.of(Q).heldBy("anna").withLimit(3))).isEqualTo(annas);
        assertThat(ids(ListRequest.of(Q).heldBy("anna").in(ItemState.HELD))).isEqualTo(annas);
        assertThat(ids(ListRequest.of(Q).heldBy("anna").in(ItemState.READY))).isEmpty();
        assertThat(ids(ListRequest.of(Q).heldBy("nobody"))).isEmpty();
    }

    @Test
    void list_whenThereIsNoSuchQueue_isEmpty() {
        assertThat(queues.list(ListRequest.of(QueueName.of("nobody", "x"))).items()).isEmpty();
    }

    /** Thousands of items, of which some come, go and move between two pages: those that stay are shown once. */
    @Test
    void list_whenThingsMoveBetweenPages_showsWhatStaysExactlyOnce() {
        Map<ItemState, List<ItemId>> made = fill(Q, 600);
        Set<ItemId> moved = new HashSet<>();
        int[] turn = {0};
        List<ItemView> listed = pages(ListRequest.of(Q).withLimit(100), () -> {
            int n = turn[0]++;
            clocks.pass(Duration.ofMillis(7));
            put(Q, "new");
            moved.add(put(item(Q, "new and high").withPriority(50)));
            for (ItemState state : List.of(ItemState.DEAD, ItemState.KEPT, ItemState.DELAYED)) {
                ItemId item = made.get(state).get(n * 11 % 600);
                if (moved.add(item)) {
                    queues.reset(item);
                }
            }
            for (Claimed claimed : claim(Q, 5)) {
                moved.add(claimed.item());
                switch (n % 3) {
                    case 0 -> queues.finish(claimed.lease());
                    case 1 -> fail(claimed.lease(), "e", RetryPolicy.DEFAULT);
                    default -> queues.renew(claimed.lease());
                }
            }
        });
        List<ItemId> stayed = made.values().stream().flatMap(List::stream).filter(id -> !moved.contains(id)).toList();
        List<ItemId> shown = listed.stream().map(ItemView::id).filter(id -> !moved.contains(id)).toList();
        assertThat(stayed.size()).isGreaterThan(2500);
        assertThat(shown).doesNotHaveDuplicates().containsAll(stayed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", ":", "::", "READY", "READY:1", "READY:a:1", "READY:1:a", "ready:1:1", "NOWHERE:1:1",
            "READY:99999999999999999999:1", "HELD:0:1'; DROP TABLE item; --"})
    void list_whenTheCursorIsGarbage_isRefusedClearly(String cursor) {
        put(Q, "x");
        assertThatIllegalArgumentException().isThrownBy(() -> queues.list(ListRequest.of(Q).after(cursor)))
                .withMessageContaining("\"" + cursor + "\" is not a cursor");
    }

    @Test
    void list_whenTheCursorIsOfAnotherState_goesOnFromThere() {
        fill(Q, 4);
        String cursor = queues.list(ListRequest.of(Q).in(ItemState.HELD).withLimit(2)).cursor();
        assertThat(ids(ListRequest.of(Q).in(ItemState.DEAD).after(cursor))).hasSize(4);
        assertThat(ids(ListRequest.of(Q).after(cursor))).hasSize(18);
    }
}
