package io.entrepot.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.queue.contract.Gate;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new life from a backup: what was held is to be done again, and no lease from before means anything. */
class RestoreTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final QueueName SHARDED = QueueName.of("apart", "files");
    private static final Duration TERM = Duration.ofMinutes(1);

    @TempDir
    private Path root;
    private final Clocks clocks = new Clocks();
    private final QueueConfig config = QueueConfig.DEFAULT.withBackground(false);
    private DataDirectory directory;
    private Queues queues;
    private int lives;

    private StoreConfig storeConfig() {
        return clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
    }

    private Path path() {
        return root.resolve("data-" + lives);
    }

    @BeforeEach
    void open() {
        directory = DataDirectory.open(path(), storeConfig());
        queues = Queues.open(directory, storeConfig(), config);
    }

    @AfterEach
    void close() {
        assertThat(queues.check()).isEmpty();
        queues.close();
        directory.close();
    }

    private Path backup() {
        Path backup = root.resolve("backup-" + lives);
        directory.backup(backup);
        return backup;
    }

    private void restore(Path backup) {
        close();
        lives++;
        DataDirectory.restore(backup, path(), storeConfig());
        open();
    }

    private ItemId put(QueueName queue, String payload) {
        return queues.put(NewItem.of(queue, payload.getBytes(UTF_8))).item();
    }

    private List<Claimed> claim(QueueName queue, int max) throws InterruptedException {
        return queues.claim(ClaimRequest.of(queue, "worker", TERM).withMax(max));
    }

    private QueueCounts counts(QueueName queue) {
        return queues.status(queue).orElseThrow().counts();
    }

    private void assertLost(ItemLease lease) {
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(lease));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(lease));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.fail(lease, "e"));
    }

    @Test
    void restore_whenItemsWereHeld_theyAreReadyAgainInTheirPlaces() throws InterruptedException {
        for (String name : List.of("a", "b", "c", "d")) {
            put(Q, name);
            clocks.pass(Duration.ofSeconds(1));
        }
        List<Claimed> held = claim(Q, 2);
        queues.keep(claim(Q, 1).getFirst().lease());
        restore(backup());
        assertThat(counts(Q)).isEqualTo(new QueueCounts(3, 0, 0, 1, 0));
        held.forEach(claimed -> assertLost(claimed.lease()));
        List<Claimed> again = claim(Q, 10);
        assertThat(again).extracting(one -> new String(one.payload(), UTF_8)).containsExactly("a", "b", "d");
        assertThat(again.getFirst().lease().fence().epoch().value()).isEqualTo(2);
        assertThat(again.getFirst().deliveries()).isZero();
        held.forEach(claimed -> assertLost(claimed.lease()));
        assertThat(queues.history(held.getFirst().item())).extracting(HistoryStep::what).containsExactly("put",
                "claimed", "taken-back", "claimed");
        assertThat(queues.history(held.getFirst().item()).get(2).note()).contains("a backup was restored");
    }

    /** In the old life the item went on after the backup; its epochs come again, with other nonces. */
    @Test
    void restore_whenLeasesWereGrantedAfterTheBackup_theyAreNotValid() throws InterruptedException {
        put(Q, "x");
        Path backup = backup();
        ItemLease lost = claim(Q, 1).getFirst().lease();
        restore(backup);
        ItemLease current = claim(Q, 1).getFirst().lease();
        assertThat(current.item()).isEqualTo(lost.item());
        assertThat(current.fence().epoch()).isEqualTo(lost.fence().epoch());
        assertLost(lost);
        queues.finish(current);
        assertLost(lost);
    }

    @Test
    void restore_whenItemsWerePutAfterTheBackup_theirNumbersAreNotUsedAgain() {
        put(Q, "in the backup");
        Path backup = backup();
        ItemId lost = put(Q, "not in the backup");
        restore(backup);
        ItemId next = put(Q, "in the new life");
        assertThat(next.number()).isGreaterThan(lost.number());
        assertThat(queues.find(lost)).isEmpty();
        restore(backup());
        assertThat(put(Q, "in the life after").number()).isGreaterThan(next.number() + 1_000_000);
    }

    /** If put and claim were committed together, nothing was ever counted as ready. */
    @Test
    void restore_whenNothingWasEverCountedAsReady_itIsNow() throws InterruptedException {
        queues.pause(Q);
        queues.resume(Q);
        Crowd<Object> callers = new Crowd<>();
        try (Gate _ = new Gate(directory.main())) {
            callers.start(() -> put(Q, "x"));
            callers.awaitWaiting();
            callers.start(() -> claim(Q, 1));
            callers.awaitWaiting();
        }
        callers.results();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 1, 0, 0, 0));
        restore(backup());
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertThat(claim(Q, 1)).hasSize(1);
    }

    @Test
    void restore_whenOutcomesAndKeysWereRemembered_theyStillAre() throws InterruptedException {
        Placed placed = queues.put(NewItem.of(Q, new byte[]{1}).withKey("k"));
        ItemLease lease = claim(Q, 1).getFirst().lease();
        queues.finish(lease);
        restore(backup());
        assertThat(queues.finish(lease).repeated()).isTrue();
        assertThat(queues.put(NewItem.of(Q, new byte[]{1}).withKey("k"))).isEqualTo(new Placed(placed.item(), false));
    }

    @Test
    void restore_whenAClaimHadAKey_mayBeMadeAgain() throws InterruptedException {
        put(Q, "x");
        ClaimRequest request = ClaimRequest.of(Q, "w", TERM).withKey("k");
        ItemLease before = queues.claim(request).getFirst().lease();
        restore(backup());
        ItemLease after = queues.claim(request).getFirst().lease();
        assertThat(after.item()).isEqualTo(before.item());
        assertThat(after).isNotEqualTo(before);
        assertLost(before);
    }

    @Test
    void restore_whenAnOwnerHasAShard_isDoneThereToo() throws InterruptedException {
        directory.giveShard(new Owner("apart"));
        put(Q, "x");
        put(SHARDED, "x");
        List<Claimed> held = queues.claim(new ClaimRequest(List.of(Q), "w", 5, TERM, Duration.ZERO));
        List<Claimed> heldApart = queues.claim(new ClaimRequest(List.of(SHARDED), "w", 5, TERM, Duration.ZERO));
        restore(backup());
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertThat(counts(SHARDED)).isEqualTo(new QueueCounts(1, 0, 0, 0, 0));
        assertLost(held.getFirst().lease());
        assertLost(heldApart.getFirst().lease());
    }
}
