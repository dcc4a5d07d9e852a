package io.entrepot.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues of owners with a database of their own. */
class ShardsTest {
    private static final Owner APART = new Owner("apart");
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final QueueName SHARDED = new QueueName(APART, "files");
    private static final Duration TERM = Duration.ofMinutes(1);

    @TempDir
    private Path root;
    private final Clocks clocks = new Clocks();
    private QueueConfig config = QueueConfig.DEFAULT.withBackground(false);
    private DataDirectory directory;
    private Queues queues;

    private StoreConfig storeConfig() {
        return clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
    }

    @BeforeEach
    void open() {
        directory = DataDirectory.open(root.resolve("data"), storeConfig());
        directory.giveShard(APART);
        queues = Queues.open(directory, storeConfig(), config);
    }

    private void reopen() {
        close();
        directory = DataDirectory.open(root.resolve("data"), storeConfig());
        queues = Queues.open(directory, storeConfig(), config);
    }

    @AfterEach
    void close() {
        queues.close();
        directory.close();
    }

    private ItemId put(QueueName queue) {
        return queues.put(NewItem.of(queue, "x".getBytes(UTF_8))).item();
    }

    private List<Claimed> claim(int max, QueueName... from) throws InterruptedException {
        return queues.claim(new ClaimRequest(List.of(from), "worker", max, TERM, Duration.ZERO));
    }

    private Crowd<List<Claimed>> waiting(QueueName... from) {
        return Crowd.start(1, _ -> queues.claim(
                new ClaimRequest(List.of(from), "waiter", 1, TERM, Duration.ofHours(1)))).awaitAsleep();
    }

    private void damageShard() throws IOException {
        close();
        Path file = root.resolve("data").resolve(DataDirectory.SHARDS).resolve("apart.db");
        Files.write(file, new byte[8192]);
    }

    @Test
    void endAll_whenInOneTransactionButOfTwoStores_isRefused() throws InterruptedException {
        put(Q);
        put(SHARDED);
        List<ItemLease> leases = List.of(claim(1, Q).getFirst().lease(), claim(1, SHARDED).getFirst().lease());
        assertThatIllegalArgumentException().isThrownBy(() -> directory.store(APART).write(APART,
                tx -> queues.endAll(tx, leases, new Ending.Finish(false)))).withMessageContaining("share a store");
        leases.forEach(queues::finish);
    }

    /** No transaction spans two stores. */
    @RepeatedTest(5)
    void claim_whenManyAskWithOneKeyForQueuesOfTwoStores_isOneClaim() {
        for (int i = 0; i < 20; i++) {
            put(Q);
            put(SHARDED);
        }
        ClaimRequest request = new ClaimRequest(List.of(Q, SHARDED), "worker", 3, TERM, Duration.ZERO).withKey("k");
        List<List<Claimed>> got = Crowd.run(16, _ -> queues.claim(request));
        List<ItemLease> leases = got.getFirst().stream().map(Claimed::lease).toList();
        assertThat(leases).hasSize(3);
        assertThat(got).allSatisfy(one -> assertThat(one).extracting(Claimed::lease).isEqualTo(leases));
        reopen();
        assertThat(Crowd.run(1, _ -> queues.claim(request)).getFirst()).extracting(Claimed::lease).isEqualTo(leases);
        leases.forEach(queues::finish);
        assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> queues.claim(request));
    }

    @Test
    void item_whenItsOwnerHasAShard_livesThere() throws InterruptedException {
        ItemId here = put(Q);
        ItemId there = put(SHARDED);
        assertThat(there.number()).isEqualTo(here.number());
        Claimed claimed = claim(1, SHARDED).getFirst();
        assertThat(claimed.item()).isEqualTo(there);
        assertThat(queues.find(here).orElseThrow().state()).isEqualTo(ItemState.READY);
        assertThat(queues.find(there).orElseThrow().state()).isEqualTo(ItemState.HELD);
        queues.renew(claimed.lease());
        queues.finish(claimed.lease());
        assertThat(queues.find(here)).isPresent();
        assertThat(queues.find(there)).isEmpty();
        assertThat(queues.history(there)).hasSize(3);
        assertThat(queues.statuses(APART)).hasSize(1);
        assertThat(queues.check()).isEmpty();
    }

    @Test
    void claim_whenFromSeveralStores_takesFromAllOfThem() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            put(Q);
            put(SHARDED);
        }
        Set<QueueName> served = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            List<Claimed> claimed = claim(1, Q, SHARDED);
            assertThat(claimed).hasSize(1);
            served.add(claimed.getFirst().queue());
        }
        assertThat(served).containsExactlyInAnyOrder(Q, SHARDED);
        int rest = 0;
        for (List<Claimed> more = claim(100, Q, SHARDED); !more.isEmpty(); more = claim(100, Q, SHARDED)) {
            rest += more.size();
        }
        assertThat(rest).isEqualTo(40);
    }

    @Test
    void claim_whenWaitingAtSeveralStores_isWokenByEach() {
        for (QueueName queue : List.of(Q, SHARDED)) {
            Crowd<List<Claimed>> waiter = waiting(Q, SHARDED);
            ItemId item = put(queue);
            assertThat(waiter.results().getFirst().getFirst().item()).isEqualTo(item);
        }
    }

    @Test
    void restart_whenHeldInAShard_givesAFreshTermThereToo() throws InterruptedException {
        put(SHARDED);
        ItemLease lease = claim(1, SHARDED).getFirst().lease();
        reopen();
        queues.renew(lease);
        clocks.pass(TERM);
        queues.tick();
        assertThat(queues.find(lease.item()).orElseThrow().deliveries()).isEqualTo(1);
    }

    @Test
    void open_whenAShardIsDamaged_theOthersWork() throws Exception {
        put(Q);
        put(SHARDED);
        damageShard();
        reopen();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> put(SHARDED));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claim(1, SHARDED));
        put(Q);
        assertThat(claim(5, SHARDED, Q)).hasSize(2);
        assertThat(claim(5, Q, SHARDED)).isEmpty();
        Crowd<List<Claimed>> waiter = waiting(Q, SHARDED);
        ItemId item = put(Q);
        assertThat(waiter.results().getFirst().getFirst().item()).isEqualTo(item);
        clocks.pass(TERM);
        queues.tick();
        assertThat(queues.status(Q).orElseThrow().counts()).isEqualTo(new QueueCounts(3, 0, 0, 0, 0));
        assertThat(queues.check()).singleElement().asString().contains("the queues of apart are not available");
    }

    @Test
    void shard_whenItEndsWhileRunning_theOthersWork() throws InterruptedException {
        put(Q);
        put(Q);
        put(SHARDED);
        Claimed held = claim(1, Q).getFirst();
        Crowd<List<Claimed>> onlyThere = waiting(QueueName.of("apart", "empty"));
        directory.store(APART).close();
        assertThat(claim(5, SHARDED, Q)).hasSize(1);
        clocks.pass(TERM);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> queues.tick());
        assertThat(onlyThere.failures().getFirst()).containsInstanceOf(StoreClosedException.class);
        assertThat(queues.find(held.item()).orElseThrow().state()).isEqualTo(ItemState.READY);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> claim(5, SHARDED));
    }

    @Test
    void giveShard_whenTheQueuesAreOpen_isUsedAtOnce() throws InterruptedException {
        Owner late = new Owner("late");
        directory.giveShard(late);
        QueueName queue = new QueueName(late, "files");
        Crowd<List<Claimed>> waiter = waiting(queue, Q);
        ItemId item = put(queue);
        assertThat(waiter.results().getFirst().getFirst().item()).isEqualTo(item);
        List<Long> inMain = directory.main().read(snapshot -> snapshot.query("SELECT id FROM item",
                row -> row.getLong(1)));
        assertThat(inMain).isEmpty();
    }
}
