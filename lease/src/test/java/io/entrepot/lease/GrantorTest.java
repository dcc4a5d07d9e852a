package io.entrepot.lease;

import static io.entrepot.lease.Protection.FENCED;
import static io.entrepot.lease.Protection.UNFENCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.lease.Renewal.Lost;
import io.entrepot.lease.Renewal.Reason;
import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.lease.Verdict.Granted;
import io.entrepot.lease.Verdict.Refused;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrantorTest {
    private static final String NAME = "group/port";
    private static final Duration TERM = Duration.ofSeconds(6);
    private static final Duration TICK = Duration.ofNanos(1);

    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - TERM.toNanos());
    private final Grantor grantor = new Grantor(ticker, Nonces.seeded(1));

    private Lease grant(String holder, Protection protection) {
        return ((Granted) grantor.request(NAME, holder, TERM, protection)).lease();
    }

    @Test
    void request_whenFree_isGranted() {
        Lease lease = grant("a", FENCED);
        assertThat(lease).isEqualTo(new Lease(NAME, "a", lease.fence(), TERM, FENCED));
        assertThat(lease.fence().epoch()).isEqualTo(new Epoch(1));
        assertThat(grantor.holds(NAME, lease.fence())).isTrue();
        assertThat(grantor.current(NAME)).contains(lease);
    }

    @ParameterizedTest
    @EnumSource
    void request_whenHeld_isRefusedWithWhatIsLeft(Protection protection) {
        Lease lease = grant("a", protection);
        ticker.advance(Duration.ofSeconds(2));
        assertThat(grantor.request(NAME, "b", TERM, protection))
                .isEqualTo(new Refused(lease, Duration.ofSeconds(4)));
    }

    @Test
    void request_whenHeldBySameName_isRefused() {
        Lease lease = grant("a", FENCED);
        assertThat(grantor.request(NAME, "a", TERM, FENCED)).isEqualTo(new Refused(lease, TERM));
    }

    @ParameterizedTest
    @EnumSource
    void request_whenTermHasRunOut_isGrantedAndNotATickBefore(Protection protection) {
        Lease old = grant("a", protection);
        ticker.advance(TERM.minus(TICK));
        assertThat(grantor.request(NAME, "b", TERM, protection)).isEqualTo(new Refused(old, TICK));
        ticker.advance(TICK);
        Lease lease = grant("b", protection);
        assertThat(lease.fence().epoch()).isEqualTo(new Epoch(2));
        assertThat(grantor.holds(NAME, old.fence())).isFalse();
    }

    @Test
    void request_whenArgumentsAreInvalid_throwsEvenIfItWouldBeRefused() {
        grant("a", FENCED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grantor.request(NAME, "b", Duration.ZERO, FENCED));
    }

    @Test
    void request_whenHolderOfFencedIsGone_isGrantedAtOnce() {
        Lease old = grant("a", FENCED);
        assertThat(grantor.gone(NAME, old.fence())).isTrue();
        assertThat(grantor.expired()).containsExactly(old);
        assertThat(grant("b", FENCED).fence().epoch()).isEqualTo(new Epoch(2));
    }

    @Test
    void request_whenHolderOfUnfencedIsGone_waitsTheWholeTermSinceTheLastRenewal() {
        Lease old = grant("a", UNFENCED);
        ticker.advance(Duration.ofSeconds(4));
        grantor.renew(NAME, old.fence());
        grantor.gone(NAME, old.fence());
        ticker.advance(TERM.minus(TICK));
        assertThat(grantor.request(NAME, "b", TERM, FENCED)).isEqualTo(new Refused(old, TICK));
        assertThat(grantor.expire(NAME, old.fence())).isFalse();
        ticker.advance(TICK);
        assertThat(grant("b", FENCED).holder()).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource
    void request_whenReleased_isGrantedAtOnce(Protection protection) {
        Lease old = grant("a", protection);
        assertThat(grantor.release(NAME, old.fence())).isTrue();
        assertThat(grantor.holds(NAME, old.fence())).isFalse();
        assertThat(grant("b", protection).fence().epoch()).isEqualTo(new Epoch(2));
        assertThat(grantor.release(NAME, old.fence())).isFalse();
    }

    @Test
    void renew_whenCurrent_countsTheTermAnew() {
        Lease lease = grant("a", UNFENCED);
        ticker.advance(Duration.ofSeconds(5));
        assertThat(grantor.renew(NAME, lease.fence())).isEqualTo(new Renewed(lease));
        assertThat(grantor.request(NAME, "b", TERM, UNFENCED)).isEqualTo(new Refused(lease, TERM));
    }

    @ParameterizedTest
    @EnumSource
    void renew_whenTermHasRunOutButNobodyAsked_isRenewed(Protection protection) {
        Lease lease = grant("a", protection);
        ticker.advance(TERM.multipliedBy(3));
        assertThat(grantor.holds(NAME, lease.fence())).isTrue();
        assertThat(grantor.renew(NAME, lease.fence())).isEqualTo(new Renewed(lease));
        assertThat(grantor.expired()).isEmpty();
    }

    @Test
    void renew_whenThoughtGone_provesTheContrary() {
        Lease lease = grant("a", FENCED);
        grantor.gone(NAME, lease.fence());
        assertThat(grantor.renew(NAME, lease.fence())).isEqualTo(new Renewed(lease));
        assertThat(grantor.request(NAME, "b", TERM, FENCED)).isEqualTo(new Refused(lease, TERM));
    }

    @Test
    void renew_whenNotCurrent_saysWhy() {
        Lease old = grant("a", FENCED);
        grantor.release(NAME, old.fence());
        assertThat(grantor.renew(NAME, old.fence())).isEqualTo(new Lost(Reason.ENDED));
        Lease lease = grant("b", FENCED);
        assertThat(grantor.renew(NAME, old.fence())).isEqualTo(new Lost(Reason.TAKEN));
        Fence sameEpoch = new Fence(lease.fence().epoch(), lease.fence().nonce() + 1);
        assertThat(grantor.renew(NAME, sameEpoch)).isEqualTo(new Lost(Reason.UNKNOWN));
        assertThat(grantor.holds(NAME, sameEpoch)).isFalse();
        Fence later = new Fence(new Epoch(9), lease.fence().nonce());
        assertThat(grantor.renew(NAME, later)).isEqualTo(new Lost(Reason.UNKNOWN));
        assertThat(grantor.renew("never/granted", later)).isEqualTo(new Lost(Reason.UNKNOWN));
    }

    @Test
    void gone_whenFenceIsOld_leavesTheNewHolderAlone() {
        Lease old = grant("a", FENCED);
        grantor.release(NAME, old.fence());
        Lease lease = grant("b", FENCED);
        assertThat(grantor.gone(NAME, old.fence())).isFalse();
        assertThat(grantor.request(NAME, "c", TERM, FENCED)).isEqualTo(new Refused(lease, TERM));
    }

    @ParameterizedTest
    @EnumSource
    void expire_whenTermHasRunOut_endsTheLease(Protection protection) {
        Lease lease = grant("a", protection);
        assertThat(grantor.expire(NAME, lease.fence())).isFalse();
        ticker.advance(TERM);
        assertThat(grantor.expired()).containsExactly(lease);
        assertThat(grantor.expire(NAME, lease.fence())).isTrue();
        assertThat(grantor.holds(NAME, lease.fence())).isFalse();
        assertThat(grantor.current(NAME)).isEmpty();
        assertThat(grantor.expired()).isEmpty();
        assertThat(grantor.expire(NAME, lease.fence())).isFalse();
    }

    @Test
    void adopt_whenRestarted_givesAFreshFullTerm() {
        Lease lease = grant("a", UNFENCED);
        ticker.advance(TERM.minus(TICK));
        Grantor restarted = new Grantor(ticker, Nonces.seeded(2));
        restarted.adopt(lease);
        assertThat(restarted.holds(NAME, lease.fence())).isTrue();
        assertThat(restarted.request(NAME, "b", TERM, UNFENCED)).isEqualTo(new Refused(lease, TERM));
    }

    @Test
    void adopt_whenTheGrantorKnowsBetter_isRefused() {
        Lease old = grant("a", FENCED);
        grantor.adopt(old);
        grantor.release(NAME, old.fence());
        assertThatIllegalStateException().isThrownBy(() -> grantor.adopt(old));
        grant("b", FENCED);
        assertThatIllegalStateException().isThrownBy(() -> grantor.adopt(old));
    }

    @Test
    void remember_whenRestarted_theNextEpochIsLater() {
        grantor.remember(NAME, new Epoch(41));
        grantor.remember(NAME, new Epoch(7));
        assertThat(grant("a", FENCED).fence().epoch()).isEqualTo(new Epoch(42));
        grantor.remember(NAME, new Epoch(42));
        assertThatIllegalStateException().isThrownBy(() -> grantor.remember(NAME, new Epoch(43)));
    }

    @Test
    void request_whenManyAskAtOnce_oneIsGranted() throws InterruptedException, ExecutionException {
        Grantor shared = new Grantor(ticker, () -> {
            LockSupport.parkNanos(1); // Lets the others in where a missing lock would show.
            return 1;
        });
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 200; round++) {
                String name = "round-" + round;
                Callable<Verdict> asking = () -> shared.request(name, "somebody", TERM, FENCED);
                int granted = 0;
                for (Future<Verdict> verdict : threads.invokeAll(Collections.nCopies(8, asking))) {
                    granted += verdict.get() instanceof Granted ? 1 : 0;
                }
                assertThat(granted).isEqualTo(1);
            }
        }
    }
}
