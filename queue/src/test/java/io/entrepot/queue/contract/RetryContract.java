package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of items that fail. */
abstract class RetryContract extends QueueContract {

    RetryContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    @Test
    void fail_whenByTheDefaults_isTriedThreeTimes() {
        ItemId item = put(Q, "x");
        assertThat(queues.fail(claim(Q).lease(), "one").kind()).isEqualTo(Outcome.Kind.RETRYING);
        assertThat(view(item).since()).isEqualTo(now().plusSeconds(5));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 1, 0, 0));
        passAndTick(Duration.ofSeconds(5));
        assertThat(queues.fail(claim(Q).lease(), "two").kind()).isEqualTo(Outcome.Kind.RETRYING);
        assertThat(view(item).since()).isEqualTo(now().plusSeconds(10));
        passAndTick(Duration.ofSeconds(10));
        assertThat(queues.fail(claim(Q).lease(), "three").kind()).isEqualTo(Outcome.Kind.DEAD);
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.DEAD);
            assertThat(view.attempts()).isEqualTo(3);
            assertThat(view.lastError()).contains("three");
            assertThat(view.since()).isEqualTo(now());
        });
        passAndTick(Duration.ofDays(1));
        assertThat(tryClaim(Q)).isEmpty();
    }

    @Test
    void fail_whenExponential_doublesUpToTheMaximum() {
        RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(6), 100, true);
        ItemId item = put(Q, "x");
        for (long delay : new long[]{1, 2, 4, 6, 6, 6}) {
            fail(claim(Q).lease(), "e", policy);
            assertThat(view(item).since()).isEqualTo(now().plusSeconds(delay));
            passAndTick(Duration.ofSeconds(delay).minusMillis(1));
            assertThat(tryClaim(Q)).isEmpty();
            passAndTick(Duration.ofMillis(1));
        }
        assertThat(claim(Q).attempts()).isEqualTo(6);
    }

    @Test
    void fail_whenFixed_waitsTheSameEachTime() {
        RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(3), 100);
        ItemId item = put(Q, "x");
        for (int i = 0; i < 5; i++) {
            fail(claim(Q).lease(), "e", policy);
            assertThat(view(item).since()).isEqualTo(now().plusSeconds(3));
            passAndTick(Duration.ofSeconds(3));
        }
    }

    @Test
    void fail_whenWithoutDelay_isReadyAtOnce() {
        RetryPolicy policy = RetryPolicy.fixed(Duration.ZERO, 3);
        ItemId item = put(Q, "x");
        for (int i = 1; i <= 2; i++) {
            assertThat(fail(claim(Q).lease(), "e" + i, policy).kind()).isEqualTo(Outcome.Kind.RETRYING);
            assertThat(state(item)).isEqualTo(ItemState.READY);
        }
        assertThat(view(item).lastError()).contains("e2");
        assertThat(fail(claim(Q).lease(), "e3", policy).kind()).isEqualTo(Outcome.Kind.DEAD);
    }

    @Test
    void fail_whenOneAttemptIsAllowed_isDeadAtOnce() {
        ItemLease lease = putAndClaim(Q);
        assertThat(fail(lease, "e", RetryPolicy.fixed(Duration.ZERO, 1)).kind()).isEqualTo(Outcome.Kind.DEAD);
    }

    @Test
    void fail_whenNotRetryable_isDeadAtOnceWithTheError() {
        ItemLease lease = putAndClaim(Q);
        assertThat(queues.end(lease, new Ending.Fail("not a file", false, RetryPolicy.DEFAULT)).kind())
                .isEqualTo(Outcome.Kind.DEAD);
        assertThat(view(lease.item()).lastError()).contains("not a file");
        assertThat(view(lease.item()).attempts()).isEqualTo(1);
    }

    @Test
    void fail_whenTheLongestDelay_isKeptExactly() {
        ItemLease lease = putAndClaim(Q);
        fail(lease, "e", RetryPolicy.fixed(Duration.ofDays(3650), 2));
        assertThat(view(lease.item()).since()).isEqualTo(now().plus(Duration.ofDays(3650)));
        passAndTick(Duration.ofDays(3649));
        assertThat(tryClaim(Q)).isEmpty();
        passAndTick(Duration.ofDays(1));
        assertThat(claim(Q).item()).isEqualTo(lease.item());
    }

    @Test
    void fail_whenWallClockJumpsBack_isTriedAgainAllTheSame() {
        ItemLease lease = putAndClaim(Q);
        queues.fail(lease, "e");
        clocks.setWall(Duration.ofHours(-10));
        passAndTick(Duration.ofSeconds(6));
        assertThat(claim(Q).item()).isEqualTo(lease.item());
    }

    @Test
    void fail_whenRestartedBeforeItIsDue_isTriedAgainWhenDue() {
        ItemLease lease = putAndClaim(Q);
        queues.fail(lease, "e");
        open();
        queues.tick();
        assertThat(tryClaim(Q)).isEmpty();
        passAndTick(Duration.ofSeconds(5));
        assertThat(claim(Q).item()).isEqualTo(lease.item());
    }

    @Test
    void fail_whenManyAreDueTogether_allAreTriedAgain() {
        Instant now = now();
        putAll(IntStream.rangeClosed(1, 1100).mapToObj(i -> item(Q, "x").withAvailableAt(now.plusMillis(i))).toList());
        passAndTick(Duration.ofMillis(1050));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1050, 0, 50, 0, 0));
        passAndTick(Duration.ofMillis(50));
        assertThat(counts(Q)).isEqualTo(new QueueCounts(1100, 0, 0, 0, 0));
    }

    @Test
    void release_whenFailedBefore_keepsAttemptsAndError() {
        ItemLease lease = putAndClaim(Q);
        fail(lease, "the reason", RetryPolicy.fixed(Duration.ZERO, 9));
        Claimed again = claim(Q);
        queues.release(again.lease());
        assertThat(view(lease.item()).attempts()).isEqualTo(1);
        assertThat(view(lease.item()).lastError()).contains("the reason");
    }

    @Test
    void fail_whenTheErrorIsStrange_keepsIt() {
        for (String error : new String[]{"tab\tnewline\nreturn\r\n", "emoji 🐝🐝", "quote ' \" ; --", "漢字", " "}) {
            ItemLease lease = putAndClaim(Q);
            kill(lease);
            queues.reset(lease.item());
            fail(claim(Q).lease(), error, RetryPolicy.DEFAULT);
            assertThat(view(lease.item()).lastError()).contains(error);
        }
    }

    @Test
    void fail_whenTheErrorIsVeryLong_keepsItsBeginning() {
        String error = "🐝".repeat(100_000);
        ItemLease lease = putAndClaim(Q);
        fail(lease, error, RetryPolicy.DEFAULT);
        String kept = view(lease.item()).lastError().orElseThrow();
        assertThat(kept.length()).isBetween(1000, 5000);
        assertThat(kept).startsWith("🐝🐝🐝").endsWith("🐝…");
    }

    @Test
    void fail_whenTheErrorHasZeros_keepsWhatFollows() {
        ItemLease lease = putAndClaim(Q);
        fail(lease, "before\0after", RetryPolicy.DEFAULT);
        assertThat(view(lease.item()).lastError()).hasValueSatisfying(error -> assertThat(error).endsWith("after"));
    }
}
