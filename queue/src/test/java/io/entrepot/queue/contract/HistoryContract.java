package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is known of an item's life. */
abstract class HistoryContract extends QueueContract {

    HistoryContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private ItemLease claimAs(String holder) {
        return claim(ClaimRequest.of(Q, holder, TERM)).getFirst().lease();
    }

    private static HistoryStep step(Instant at, String what, long epoch, String holder) {
        return new HistoryStep(at, what, epoch, holder, Optional.empty());
    }

    private static HistoryStep step(Instant at, String what, long epoch, String holder, String note) {
        return new HistoryStep(at, what, epoch, holder, Optional.of(note));
    }

    @Test
    void history_whenTheItemHasSeenEverything_hasAllStepsWithTimesHoldersAndEpochs() {
        Instant start = now();
        ItemId item = put(Q, "x");
        clocks.pass(Duration.ofSeconds(1));
        ItemLease first = claimAs("anna");
        clocks.pass(Duration.ofSeconds(1));
        fail(first, "no such file", RetryPolicy.fixed(Duration.ofSeconds(1), 9));
        passAndTick(Duration.ofSeconds(1));
        ItemLease second = claimAs("bert");
        clocks.pass(Duration.ofSeconds(1));
        queues.release(second);
        claimAs("carl");
        expireAll();
        claimAs("dora");
        clocks.pass(Duration.ofSeconds(1));
        queues.reset(item);
        ItemLease fifth = claimAs("emil");
        List<HistoryStep> steps = List.of(
                step(start, "put", 0, ""),
                step(start.plusSeconds(1), "claimed", 1, "anna"),
                step(start.plusSeconds(2), "retrying", 1, "anna", "no such file"),
                step(start.plusSeconds(3), "claimed", 2, "bert"),
                step(start.plusSeconds(4), "released", 2, "bert"),
                step(start.plusSeconds(4), "claimed", 3, "carl"),
                step(start.plusSeconds(64), "expired", 3, "carl", "the lease ran out"),
                step(start.plusSeconds(64), "claimed", 4, "dora"),
                step(start.plusSeconds(65), "taken-back", 4, "dora"),
                step(start.plusSeconds(65), "reset", 0, ""),
                step(start.plusSeconds(65), "claimed", 5, "emil"));
        assertThat(queues.history(item)).isEqualTo(steps);

        queues.finish(fifth);
        assertThat(queues.history(item)).startsWith(steps.toArray(HistoryStep[]::new))
                .endsWith(step(start.plusSeconds(65), "finished", 5, "emil")).hasSize(12);
    }

    @Test
    void history_whenKeptOrDead_saysSo() {
        ItemLease kept = putAndClaim(Q);
        queues.keep(kept);
        ItemLease dead = putAndClaim(Q);
        kill(dead);
        assertThat(queues.history(kept.item())).extracting(HistoryStep::what).containsExactly("put", "claimed", "kept");
        assertThat(queues.history(dead.item())).last().isEqualTo(step(now(), "dead", 1, "worker", "of no use"));
    }

    @Test
    void history_whenFinished_outlivesTheItemForTheMemory() {
        ItemLease lease = putAndClaim(Q);
        queues.finish(lease);
        List<HistoryStep> history = queues.history(lease.item());
        assertThat(history).hasSize(3);
        open();
        assertThat(queues.history(lease.item())).isEqualTo(history);
        passAndTick(config.memory().minusSeconds(1));
        assertThat(queues.history(lease.item())).isEqualTo(history);
        passAndTick(Duration.ofDays(1).plusSeconds(1));
        assertThat(queues.history(lease.item())).isEmpty();
    }

    @Test
    void history_whenTheItemLives_isNotForgotten() {
        ItemLease lease = putAndClaim(Q);
        queues.keep(lease);
        List<HistoryStep> history = queues.history(lease.item());
        passAndTick(config.memory().multipliedBy(3));
        assertThat(queues.history(lease.item())).isEqualTo(history);
    }

    @Test
    void history_whenThereWasNoSuchItem_isEmpty() {
        assertThat(queues.history(new ItemId(Q.owner(), 77))).isEmpty();
    }

    @Test
    void history_whenVeryLong_keepsTheLatestStepsAndTheirOrder() {
        ItemId item = put(Q, "x");
        for (int i = 0; i < 400; i++) {
            fail(claimAs("holder " + i), "error 🐝 " + i, RetryPolicy.fixed(Duration.ZERO, 1000));
        }
        List<HistoryStep> history = queues.history(item);
        assertThat(history).hasSizeBetween(100, 500);
        for (int i = 0; i < history.size(); i++) {
            int n = 399 - i / 2;
            HistoryStep step = history.reversed().get(i);
            assertThat(step.holder()).isEqualTo("holder " + n);
            assertThat(step.epoch()).isEqualTo(n + 1);
            assertThat(step.note()).isEqualTo(i % 2 == 0 ? Optional.of("error 🐝 " + n) : Optional.empty());
        }
        long stored = store().read(snapshot -> snapshot.first("SELECT length(trail) FROM item", row -> row.getLong(1)))
                .orElseThrow();
        assertThat(stored).isLessThan(9000);
        queues.finish(claimAs("last"));
        assertThat(queues.history(item)).last().satisfies(step -> assertThat(step.what()).isEqualTo("finished"));
    }

    @Test
    void history_whenHoldersAndErrorsAreStrange_staysReadable() {
        List<String> holders = List.of("tab?", "  spaces  ", "🐝 ünï©ødé", "'quoted'", "x".repeat(200),
                "🐝".repeat(100));
        List<String> errors = List.of("tab\there", "line\nline\r\nline", "\0\1\2\u007f\u0085\u2028",
                "🐝".repeat(10_000),
                "", "trailing\n\n");
        ItemId item = put(Q, "x");
        for (int i = 0; i < holders.size(); i++) {
            fail(claimAs(holders.get(i)), errors.get(i), RetryPolicy.fixed(Duration.ZERO, 1000));
        }
        List<HistoryStep> history = queues.history(item);
        assertThat(history).hasSize(13);
        for (int i = 0; i < holders.size(); i++) {
            HistoryStep ended = history.get(2 + 2 * i);
            assertThat(ended.holder()).isEqualTo(holders.get(i));
            assertThat(ended.what()).isEqualTo("retrying");
            assertThat(ended.note().orElse("")).hasSizeLessThan(400).doesNotContain("\n", "\t", "\0", "\ufffd", "?");
        }
        assertThat(history.get(2).note()).contains("tab here");
        assertThat(history.get(4).note()).contains("line line line");
        assertThat(history.get(10).note()).isEmpty();
    }
}
