package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same key with the same payload is the same item. */
abstract class KeyContract extends QueueContract {
    private static final Duration DAY = Duration.ofDays(1);

    KeyContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private static NewItem keyed(QueueName queue, String key, String payload) {
        return item(queue, payload).withKey(key);
    }

    private void assertConflict(NewItem item, ItemId with) {
        QueueCounts before = counts(item.queue());
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> queues.put(item)).satisfies(
                e -> {
                    assertThat(e.code()).isEqualTo("queue.key-conflict");
                    assertThat(e).hasMessageContaining(item.key().orElseThrow())
                            .hasMessageContaining(item.queue().toString()).hasMessageContaining(with.toString());
                });
        assertThat(counts(item.queue())).isEqualTo(before);
        assertSound();
    }

    private int keysStored() {
        return store().read(snapshot -> snapshot.query("SELECT key FROM idem", row -> row.getString(1))).size();
    }

    @Test
    void put_whenRepeated_isTheSameItem() {
        Placed first = queues.put(keyed(Q, "k", "x"));
        assertThat(first.created()).isTrue();
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(new Placed(first.item(), false));
        assertThat(queues.put(keyed(Q, "k", "x").withPriority(5).withAvailableAt(now().plusSeconds(9))))
                .isEqualTo(new Placed(first.item(), false));
        assertThat(view(first.item()).priority()).isZero();
        assertThat(view(first.item()).key()).contains("k");
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
    }

    @Test
    void put_whenRepeatedInAnyState_isTheSameItem() {
        Placed first = queues.put(keyed(Q, "k", "x"));
        Placed again = new Placed(first.item(), false);
        ItemLease lease = claim(Q).lease();
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        queues.fail(lease, "e");
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        passAndTick(Duration.ofSeconds(5));
        kill(claim(Q).lease());
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        assertThat(state(first.item())).isEqualTo(ItemState.DEAD);
    }

    @Test
    void put_whenTheItemIsGone_isStillKnownAndNotDoneAgain() {
        Placed first = queues.put(keyed(Q, "k", "x"));
        queues.finish(claim(Q).lease());
        Placed again = new Placed(first.item(), false);
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        open();
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        assertConflict(keyed(Q, "k", "y"), first.item());
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void put_whenThePayloadDiffers_isRefusedAndChangesNothing() {
        ItemId item = put(keyed(Q, "k", "x"));
        assertConflict(keyed(Q, "k", "other"), item);
        assertConflict(keyed(Q, "k", ""), item);
        assertThat(text(claim(Q))).isEqualTo("x");
    }

    @Test
    void put_whenSomeOfAGroupConflict_theOthersAreDone() {
        put(keyed(Q, "k", "x"));
        Crowd<Placed> callers = new Crowd<>();
        try (Gate _ = new Gate(store())) {
            for (int i = 0; i < 20; i++) {
                String payload = i % 4 == 1 ? "other" : "x";
                String key = i % 4 < 2 ? "k" : "k" + i;
                callers.start(() -> queues.put(keyed(Q, key, payload)));
            }
            callers.awaitWaiting();
        }
        List<Boolean> failed = callers.failures().stream().map(java.util.Optional::isPresent).toList();
        for (int i = 0; i < 20; i++) {
            assertThat(failed.get(i)).isEqualTo(i % 4 == 1);
        }
        assertThat(counts(Q).ready()).isEqualTo(11);
    }

    @Test
    void put_whenManyThreadsUseOneKey_makesOneItem() {
        for (int round = 0; round < 10; round++) {
            String key = "k" + round;
            List<Placed> placed = Crowd.run(64, _ -> queues.put(keyed(Q, key, "x")));
            assertThat(placed).filteredOn(Placed::created).hasSize(1);
            assertThat(placed).extracting(Placed::item).containsOnly(placed.getFirst().item());
        }
        assertThat(counts(Q).ready()).isEqualTo(10);
    }

    @Test
    void put_whenManyThreadsUseOneKeyWithDifferentPayloads_oneWinsAndTheOthersAreRefused() {
        Crowd<Placed> callers;
        try (Gate _ = new Gate(store())) {
            callers = Crowd.start(32, caller -> queues.put(keyed(Q, "k", "payload " + caller)));
            callers.awaitWaiting();
        }
        assertThat(callers.failures()).filteredOn(java.util.Optional::isEmpty).hasSize(1);
        assertThat(counts(Q).ready()).isEqualTo(1);
    }

    @Test
    void put_whenInAnotherQueue_isAnotherItem() {
        ItemId first = put(keyed(Q, "k", "x"));
        ItemId second = put(keyed(R, "k", "y"));
        ItemId third = put(keyed(OTHER, "k", "z"));
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertConflict(keyed(R, "k", "x"), second);
    }

    @Test
    void put_whenKeysAreAlike_theyAreDifferent() {
        List<String> keys = List.of("k", "K", "k ", " k", "ä", "a\u0308", "🐝", "'", "%", "_");
        assertThat(keys.stream().map(key -> put(keyed(Q, key, "x"))).toList()).doesNotHaveDuplicates();
        assertThat(claim(Q, 100)).extracting(claimed -> claimed.key().orElseThrow()).isEqualTo(keys);
    }

    @Test
    void put_whenTheMemoryIsOver_isANewItem() {
        ItemId first = put(keyed(Q, "k", "x"));
        queues.finish(claim(Q).lease());
        passAndTick(config.memory().plus(DAY.multipliedBy(2)));
        Placed again = queues.put(keyed(Q, "k", "another"));
        assertThat(again.created()).isTrue();
        assertThat(again.item()).isNotEqualTo(first);
        assertThat(queues.put(keyed(Q, "k", "another"))).isEqualTo(new Placed(again.item(), false));
    }

    @Test
    void put_whenTheItemLivesLongerThanTheMemory_isKnownAsLongAsItLives() {
        ItemId item = put(keyed(Q, "k", "x"));
        for (int i = 0; i < 5; i++) {
            passAndTick(config.memory());
            assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(new Placed(item, false));
            assertConflict(keyed(Q, "k", "y"), item);
        }
    }

    /** A key outlives its item by the memory, however long the item lived. */
    @Test
    void put_whenTheItemLivedLong_isKnownForTheWholeMemoryAfterItWent() {
        ItemId item = put(keyed(Q, "k", "x"));
        passAndTick(config.memory().plus(DAY));
        queues.finish(claim(Q).lease());
        Placed again = new Placed(item, false);
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        for (int i = 0; i < 6; i++) {
            passAndTick(DAY);
            assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
        }
        open();
        passAndTick(DAY.minusSeconds(1));
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(again);
    }

    @Test
    void put_whenTheItemWasFinishedLate_isKnownWithoutATickToo() {
        ItemId item = put(keyed(Q, "k", "x"));
        clocks.pass(config.memory().plus(DAY));
        queues.finish(claim(Q).lease());
        clocks.pass(config.memory().minusSeconds(1));
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(new Placed(item, false));
    }

    @Test
    void put_whenTheItemWasPurged_isKnownForTheMemory() {
        ItemId item = put(keyed(Q, "k", "x"));
        kill(claim(Q).lease());
        passAndTick(config.memory().plus(DAY));
        queues.purge(Q, ItemState.DEAD, now());
        passAndTick(config.memory().minusSeconds(1));
        assertThat(queues.put(keyed(Q, "k", "x"))).isEqualTo(new Placed(item, false));
    }

    @Test
    void tick_whenTheMemoryIsOver_forgetsKeysOfItemsThatAreGoneAndNoOthers() {
        putAll(IntStream.range(0, 1200).mapToObj(i -> keyed(Q, "gone " + i, "x")).toList());
        queues.endAll(claim(Q, 1000).stream().map(io.entrepot.queue.Claimed::lease).toList(), EndContract.FINISH);
        queues.endAll(claim(Q, 1000).stream().map(io.entrepot.queue.Claimed::lease).toList(), EndContract.FINISH);
        putAll(IntStream.range(0, 700).mapToObj(i -> keyed(Q, "stays " + i, "x")).toList());
        assertThat(keysStored()).isEqualTo(1900);
        for (int i = 0; i < 4; i++) {
            passAndTick(config.memory().plus(DAY));
        }
        assertThat(keysStored()).isEqualTo(700);
        assertThat(queues.put(keyed(Q, "stays 5", "x")).created()).isFalse();
    }
}
