package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.QueueName;
import io.entrepot.store.Faults;
import io.entrepot.store.GroupLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * One tenant with much to do does not keep another one waiting. Counted in commits: the clock stands still but for a
 * millisecond at each commit, so the time of a row says by which commit it came.
 */
abstract class FairnessContract extends QueueContract {
    private static final int GROUP = 50;
    private Instant start = Instant.EPOCH;

    FairnessContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private void openWithSmallGroups() {
        open(storeConfig().withLimits(new GroupLimits(GROUP, 1 << 20, Duration.ofSeconds(10), Duration.ZERO)));
        faults = point -> {
            if (point == Faults.Point.COMMITTED) {
                clocks.pass(Duration.ofMillis(1));
            }
        };
    }

    private long commit(Instant at) {
        return Duration.between(start, at).toMillis();
    }

    /** By which commit the last item of the queue was claimed. */
    private long lastClaim(QueueName queue) {
        return queues.list(ListRequest.of(queue).in(ItemState.HELD).withLimit(1000)).items().stream()
                .mapToLong(view -> commit(view.since())).max().orElseThrow();
    }

    @Test
    void call_whenAnotherTenantHasThousandsOfCallsWaiting_isDoneWithinAFewCommits() {
        openWithSmallGroups();
        put(Q, "x");
        ItemId claimed = put(OTHER, "x");
        Crowd<ItemId> many;
        Crowd<ItemId> one;
        Crowd<Optional<Claimed>> two;
        try (Gate _ = new Gate(store())) {
            many = Crowd.start(2000, _ -> put(Q, "x")).awaitWaiting();
            one = Crowd.start(1, _ -> put(OTHER, "x")).awaitWaiting();
            two = Crowd.start(1, _ -> tryClaim(OTHER)).awaitWaiting();
            start = now();
        }
        two.results();
        assertThat(commit(view(one.results().getFirst()).created())).isLessThanOrEqualTo(4);
        assertThat(commit(view(claimed).since())).isLessThanOrEqualTo(4);
        List<Long> others = many.results().stream().map(item -> commit(view(item).created())).toList();
        assertThat(others).anySatisfy(n -> assertThat(n).isGreaterThanOrEqualTo(2000 / GROUP - 2));
    }

    @Test
    void claim_whenSixteenTenantsAreBusy_theyAdvanceTogetherWhateverOneOfThemWants() {
        openWithSmallGroups();
        List<QueueName> tenants = IntStream.range(0, 16).mapToObj(i -> QueueName.of("tenant-" + i, "files")).toList();
        Crowd.run(16, tenant -> {
            for (int i = 0; i < (tenant == 0 ? 400 : 20); i++) {
                put(tenants.get(tenant), "x");
            }
            return 0;
        });
        Crowd<Claimed> workers = new Crowd<>();
        try (Gate _ = new Gate(store())) {
            for (int i = 0; i < 400; i++) {
                workers.start(() -> claim(tenants.getFirst()));
            }
            workers.awaitWaiting();
            for (QueueName tenant : tenants.subList(1, 16)) {
                for (int i = 0; i < 20; i++) {
                    workers.start(() -> claim(tenant));
                }
            }
            workers.awaitWaiting();
            start = now();
        }
        workers.results();
        long greedy = lastClaim(tenants.getFirst());
        assertThat(greedy).isGreaterThanOrEqualTo((400 + 15 * 20) / GROUP - 1);
        // 15 tenants with 20 calls each and as many of the greedy one fit into 13 groups at most.
        assertThat(tenants.subList(1, 16)).allSatisfy(tenant -> assertThat(lastClaim(tenant)).isLessThanOrEqualTo(13)
                .isLessThan(greedy));
    }

    @Test
    void retryDead_whenThereAreMany_isDoneInSteps() {
        openWithSmallGroups();
        putMany(Q, 1520);
        while (counts(Q).ready() > 0) {
            queues.endAll(claim(Q, 500).stream().map(Claimed::lease).toList(), EndContract.KILL);
        }
        start = now();
        assertThat(queues.retryDead(Q)).isEqualTo(1520);
        assertThat(commit(now())).isGreaterThanOrEqualTo(4);
    }
}
