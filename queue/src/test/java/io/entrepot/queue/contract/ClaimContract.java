package io.entrepot.queue.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a claim hands out, and to whom. */
abstract class ClaimContract extends QueueContract {

    ClaimContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private List<Claimed> claim(int max, QueueName... from) {
        return claim(new ClaimRequest(List.of(from), "worker", max, TERM, Duration.ZERO));
    }

    private void fill(QueueName queue, int n) {
        putAll(IntStream.range(0, n).mapToObj(i -> item(queue, queue.lane() + i)).toList());
    }

    @Test
    void claim_whenThereIsSomething_tellsEverythingAboutIt() {
        byte[] payload = new byte[256];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        ItemId item = put(NewItem.of(Q, payload).withPriority(7).withKey("the key"));
        clocks.pass(Duration.ofSeconds(3));
        Claimed claimed = claim(ClaimRequest.of(Q, "worker 1 of 2 🐝", Duration.ofSeconds(17))).getFirst();
        assertThat(claimed.item()).isEqualTo(item);
        assertThat(claimed.queue()).isEqualTo(Q);
        assertThat(claimed.payload()).isEqualTo(payload);
        assertThat(claimed.priority()).isEqualTo(7);
        assertThat(claimed.attempts()).isZero();
        assertThat(claimed.deliveries()).isZero();
        assertThat(claimed.created()).isEqualTo(now().minusSeconds(3));
        assertThat(claimed.key()).contains("the key");
        assertThat(claimed.term()).isEqualTo(Duration.ofSeconds(17));
        assertThat(claimed.lease().fence().epoch().value()).isEqualTo(1);
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.HELD);
            assertThat(view.holder()).contains("worker 1 of 2 🐝");
            assertThat(view.since()).isEqualTo(now());
            assertThat(view.epoch()).isEqualTo(1);
            assertThat(view.payloadBytes()).isEqualTo(256);
        });
    }

    @Test
    void claim_whenPayloadIsEmpty_handsItOut() {
        put(NewItem.of(Q, new byte[0]));
        assertThat(claim(Q).payload()).isEmpty();
    }

    @Test
    void claim_whenPayloadIsTheLargestAllowed_handsItOut() {
        byte[] payload = "0123456789abcdef".repeat(NewItem.LARGEST_PAYLOAD / 16).getBytes(UTF_8);
        put(NewItem.of(Q, payload));
        assertThat(claim(Q).payload()).isEqualTo(payload);
    }

    @Test
    void claim_whenItemWasTriedBefore_saysHowOften() {
        queues.end(putAndClaim(Q), new io.entrepot.queue.Ending.Fail("e", true, RetryPolicy.fixed(Duration.ZERO, 9)));
        claim(Q);
        expireAll();
        Claimed third = claim(Q);
        assertThat(third.attempts()).isEqualTo(1);
        assertThat(third.deliveries()).isEqualTo(1);
        assertThat(third.lease().fence().epoch().value()).isEqualTo(3);
    }

    @Test
    void claim_whenThereIsNothing_isEmpty() {
        assertThat(tryClaim(Q)).isEmpty();
        put(R, "x");
        put(OTHER, "x");
        assertThat(tryClaim(Q)).isEmpty();
        put(Q, "x");
        claim(Q);
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void claim_whenManyAreWanted_givesWhatIsThere() {
        fill(Q, 30);
        assertThat(claim(Q, 12)).hasSize(12);
        assertThat(claim(Q, 12)).hasSize(12);
        assertThat(claim(Q, 12)).hasSize(6);
        assertThat(claim(Q, 12)).isEmpty();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 30, 0, 0, 0));
    }

    @Test
    void claim_whenTheMostAreWanted_givesThem() {
        fill(Q, ClaimRequest.MOST + 5);
        assertThat(claim(Q, ClaimRequest.MOST)).extracting(Claimed::item).hasSize(ClaimRequest.MOST)
                .doesNotHaveDuplicates();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(5, ClaimRequest.MOST, 0, 0, 0));
    }

    @Test
    void claim_whenManyCallersComeTogether_givesEachItemToOne() {
        fill(Q, 100);
        List<List<Claimed>> got;
        Crowd<List<Claimed>> callers;
        try (Gate _ = new Gate(store())) {
            callers = Crowd.start(40, caller -> claim(Q, 1 + caller % 4));
            callers.awaitWaiting();
        }
        got = callers.results();
        List<Claimed> all = got.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(100).extracting(Claimed::item).doesNotHaveDuplicates();
        for (int i = 0; i < got.size(); i++) {
            assertThat(got.get(i)).hasSizeLessThanOrEqualTo(1 + i % 4);
        }
        assertThat(all).extracting(Claimed::lease).doesNotHaveDuplicates();
    }

    @Test
    void claim_whenFromSeveralQueues_takesAnEvenShareOfEach() {
        fill(Q, 20);
        fill(R, 20);
        fill(OTHER, 20);
        List<Claimed> claimed = claim(9, Q, R, OTHER);
        assertThat(claimed).extracting(Claimed::queue).hasSize(9);
        for (QueueName queue : List.of(Q, R, OTHER)) {
            assertThat(claimed).filteredOn(one -> one.queue().equals(queue)).hasSize(3);
        }
    }

    @Test
    void claim_whenSomeQueuesHaveLittle_fillsUpFromTheOthers() {
        fill(Q, 1);
        fill(OTHER, 20);
        for (int i = 0; i < 3; i++) {
            List<Claimed> claimed = claim(6, Q, R, OTHER);
            assertThat(claimed).hasSize(6);
            claimed.forEach(one -> queues.release(one.lease()));
        }
        assertThat(claim(100, Q, R, OTHER)).hasSize(21);
    }

    @Test
    void claim_whenAQueueIsNamedTwice_countsOnce() {
        fill(Q, 4);
        assertThat(claim(10, Q, Q, Q)).hasSize(4).extracting(Claimed::item).doesNotHaveDuplicates();
    }

    /** Two workers that take turns must not fall into a step in which one of them always looks into the same queue. */
    @Test
    void claim_whenWorkersWithSeveralQueuesAlternate_servesAllTheirQueues() {
        QueueName third = QueueName.of("acme", "third");
        QueueName fourth = QueueName.of("acme", "fourth");
        List<QueueName> all = List.of(Q, R, third, fourth);
        all.forEach(queue -> fill(queue, 120));
        Map<QueueName, Integer> served = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            claim(1, Q, R).forEach(one -> served.merge(one.queue(), 1, Integer::sum));
            claim(1, third, fourth).forEach(one -> served.merge(one.queue(), 1, Integer::sum));
        }
        assertThat(all).allSatisfy(queue -> assertThat(served.getOrDefault(queue, 0)).isBetween(30, 90));
    }

    @Test
    void claim_whenSixteenQueuesAreFull_servesAllOfThem() {
        List<QueueName> names = IntStream.range(0, 16).mapToObj(i -> QueueName.of("tenant-" + i, "files")).toList();
        names.forEach(name -> fill(name, 40));
        Map<QueueName, Integer> served = new HashMap<>();
        List<Claimed> all = new ArrayList<>();
        for (int i = 0; i < 320; i++) {
            all.addAll(claim(new ClaimRequest(names, "worker", 1, TERM, Duration.ZERO)));
        }
        all.forEach(one -> served.merge(one.queue(), 1, Integer::sum));
        assertThat(all).hasSize(320);
        assertThat(names).allSatisfy(name -> assertThat(served.getOrDefault(name, 0)).isBetween(4, 40));
    }
}
