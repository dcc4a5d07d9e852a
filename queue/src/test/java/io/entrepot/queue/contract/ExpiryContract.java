package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Leases that run out. */
abstract class ExpiryContract extends QueueContract {

    ExpiryContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    @Test
    void expire_whenTheTermIsOver_makesTheItemReadyAndCounts() {
        ItemLease lease = putAndClaim(Q);
        passAndTick(TERM.minusNanos(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        passAndTick(Duration.ofNanos(1));
        assertThat(view(lease.item())).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.deliveries()).isEqualTo(1);
            assertThat(view.attempts()).isZero();
            assertThat(view.lastError()).contains("the lease ran out");
            assertThat(view.holder()).isEmpty();
            assertThat(view.epoch()).isEqualTo(1);
        });
        assertThat(claim(Q).lease().fence().epoch().value()).isEqualTo(2);
    }

    @Test
    void expire_whenAsOftenAsAllowed_theItemIsDead() {
        ItemId item = put(Q, "kills its workers");
        for (int i = 1; i <= 5; i++) {
            assertThat(state(item)).isEqualTo(ItemState.READY);
            assertThat(claim(Q).deliveries()).isEqualTo(i - 1);
            expireAll();
        }
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.DEAD);
            assertThat(view.deliveries()).isEqualTo(5);
            assertThat(view.lastError()).hasValueSatisfying(error -> assertThat(error).contains("ran out 5 times"));
        });
        assertThat(tryClaim(Q)).isEmpty();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(0, 0, 0, 0, 1));
    }

    @Test
    void expire_whenFailuresAreInBetween_limitsAreCountedApart() {
        config = config.withMaxDeliveries(2);
        open();
        ItemId item = put(Q, "x");
        fail(claim(Q).lease(), "e", RetryPolicy.fixed(Duration.ZERO, 3));
        claim(Q);
        expireAll();
        fail(claim(Q).lease(), "e", RetryPolicy.fixed(Duration.ZERO, 3));
        assertThat(state(item)).isEqualTo(ItemState.READY);
        assertThat(claim(Q).attempts()).isEqualTo(2);
        expireAll();
        assertThat(state(item)).isEqualTo(ItemState.DEAD);
    }

    @Test
    void expire_whenReleasedInBetween_isStillRemembered() {
        config = config.withMaxDeliveries(2);
        open();
        ItemId item = put(Q, "x");
        claim(Q);
        expireAll();
        queues.release(claim(Q).lease());
        assertThat(view(item).deliveries()).isEqualTo(1);
        claim(Q);
        expireAll();
        assertThat(state(item)).isEqualTo(ItemState.DEAD);
    }

    @Test
    void expire_whenTheQueueIsPaused_doesNotCount() {
        ItemLease lease = putAndClaim(Q);
        queues.pause(Q);
        expireAll();
        assertThat(view(lease.item()).deliveries()).isZero();
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
        queues.resume(Q);
        claim(Q);
        expireAll();
        assertThat(view(lease.item()).deliveries()).isEqualTo(1);
    }

    @Test
    void expire_whenAnotherQueueIsPaused_counts() {
        ItemLease lease = putAndClaim(Q);
        queues.pause(R);
        queues.pause(OTHER);
        expireAll();
        assertThat(view(lease.item()).deliveries()).isEqualTo(1);
    }

    @Test
    void restart_whenHeld_givesAFreshFullTerm() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM.minusMillis(1));
        open();
        passAndTick(TERM.minusNanos(1));
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        queues.finish(lease);
    }

    @Test
    void expire_whenAdoptedAndNeverRenewed_doesNotCount() {
        ItemLease lease = putAndClaim(Q);
        open();
        expireAll();
        assertThat(view(lease.item())).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.deliveries()).isZero();
        });
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(lease));
    }

    @Test
    void expire_whenAdoptedAndRenewedSince_counts() {
        ItemLease lease = putAndClaim(Q);
        open();
        queues.renew(lease);
        expireAll();
        assertThat(view(lease.item()).deliveries()).isEqualTo(1);
    }

    @Test
    void expire_whenRestartedEachTime_neverDies() {
        ItemId item = put(Q, "x");
        for (int i = 0; i < 8; i++) {
            claim(Q);
            open();
            expireAll();
        }
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.epoch()).isEqualTo(8);
        });
    }

    @Test
    void expire_whenItDoesNotCount_doesNotKillEither() {
        ItemId item = put(Q, "x");
        for (int i = 0; i < 3; i++) {
            claim(Q);
            expireAll();
        }
        claim(Q);
        config = config.withMaxDeliveries(2);
        open();
        expireAll();
        assertThat(view(item)).satisfies(view -> {
            assertThat(view.state()).isEqualTo(ItemState.READY);
            assertThat(view.deliveries()).isEqualTo(3);
        });
        claim(Q);
        expireAll();
        assertThat(state(item)).isEqualTo(ItemState.DEAD);
    }

    @Test
    void expire_whenWallClockJumps_goesByTheTicker() {
        ItemLease lease = putAndClaim(Q);
        clocks.setWall(Duration.ofHours(10));
        queues.tick();
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        clocks.setWall(Duration.ofHours(-20));
        queues.tick();
        assertThat(state(lease.item())).isEqualTo(ItemState.HELD);
        expireAll();
        assertThat(state(lease.item())).isEqualTo(ItemState.READY);
    }

    @Test
    void expire_whenManyOfManyOwnersRunOut_allDo() {
        for (int owner = 0; owner < 4; owner++) {
            io.entrepot.queue.QueueName queue = io.entrepot.queue.QueueName.of("owner-" + owner, "files");
            Crowd.run(8, _ -> {
                for (int i = 0; i < 40; i++) {
                    put(queue, "x");
                }
                return 0;
            });
            for (int i = 0; i < 8; i++) {
                claim(ClaimRequest.of(queue, "w", TERM.plusMillis(i)).withMax(40));
            }
            assertThat(counts(queue).held()).isEqualTo(320);
        }
        passAndTick(TERM.plusMillis(7));
        for (int owner = 0; owner < 4; owner++) {
            assertThat(counts(io.entrepot.queue.QueueName.of("owner-" + owner, "files")))
                    .isEqualTo(new QueueCounts(320, 0, 0, 0, 0));
        }
    }

    @Test
    void expire_whenFinishedBefore_changesNothing() {
        ItemLease lease = putAndClaim(Q);
        queues.finish(lease);
        expireAll();
        assertThat(queues.find(lease.item())).isEmpty();
        assertThat(queues.history(lease.item())).extracting(HistoryStep::what).containsExactly("put", "claimed",
                "finished");
    }

    @Test
    void expire_whenClaimedAgain_endsOnlyTheLeaseThatRanOut() {
        ItemLease first = putAndClaim(Q);
        clocks.pass(Duration.ofSeconds(30));
        queues.release(first);
        Claimed second = claim(Q);
        passAndTick(Duration.ofSeconds(31));
        assertThat(state(first.item())).isEqualTo(ItemState.HELD);
        queues.finish(second.lease());
    }
}
