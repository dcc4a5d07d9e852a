package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lease.Step.Ask;
import io.entrepot.lease.Step.Done;
import io.entrepot.lease.Step.Lead;
import io.entrepot.lease.Step.Release;
import io.entrepot.lease.Step.Renew;
import io.entrepot.lease.Step.StepDown;
import io.entrepot.lease.Step.Wait;
import io.entrepot.lease.Step.Why;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final Duration RETRY = Duration.ofMillis(500);

    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000);
    private final Leadership leadership = new Leadership(ticker, RETRY, () -> 0);

    private static Lease lease(long epoch) {
        return new Lease("group/port", "agent-1", new Fence(new Epoch(epoch), epoch * 31), Duration.ofSeconds(6),
                Protection.UNFENCED);
    }

    private static Wait idle(long millis) {
        return new Wait(Duration.ofMillis(millis));
    }

    private void pass(long millis) {
        ticker.advance(Duration.ofMillis(millis));
    }

    private Ask ask() {
        return (Ask) leadership.next();
    }

    private Tenure lead(long epoch) {
        leadership.granted(ask(), lease(epoch));
        return ((Lead) leadership.next()).tenure();
    }

    @Test
    void next_whenNew_asks() {
        assertThat(leadership.next()).isEqualTo(new Ask(1, ticker.nanos()));
        assertThat(leadership.leads()).isFalse();
        assertThat(leadership.next()).isEqualTo(idle(500));
    }

    @Test
    void next_whenGranted_leadsAndCountsFromTheAsking() {
        Ask ask = ask();
        pass(400);
        leadership.granted(ask, lease(1));
        assertThat(leadership.leads()).isTrue();
        assertThat(leadership.next()).isInstanceOfSatisfying(Lead.class,
                lead -> assertThat(lead.tenure().remaining()).isEqualTo(Duration.ofMillis(5250 - 400)));
        assertThat(leadership.next()).isEqualTo(idle(1600));
    }

    @Test
    void next_whenRefused_waitsAsToldAndAsksAgain() {
        leadership.refused(ask(), Duration.ofSeconds(3));
        assertThat(leadership.next()).isEqualTo(idle(3000));
        pass(3000);
        assertThat(leadership.next()).isInstanceOf(Ask.class);
    }

    @Test
    void next_whenUnreachableOrWithoutAnswer_asksAgainAfterThePause() {
        leadership.unreachable(ask());
        assertThat(leadership.next()).isEqualTo(idle(500));
        pass(500);
        ask();
        pass(500);
        assertThat(leadership.next()).isInstanceOf(Ask.class);
    }

    @Test
    void next_whenVacant_asksAtOnce() {
        leadership.refused(ask(), Duration.ofSeconds(3));
        leadership.vacant();
        assertThat(leadership.next()).isInstanceOf(Ask.class);
    }

    @Test
    void next_whenAFollowerPauses_addsTheJitter() {
        Leadership late = new Leadership(ticker, RETRY, () -> Duration.ofMillis(300).toNanos() * 2);
        late.unreachable((Ask) late.next());
        assertThat(late.next()).isEqualTo(idle(800));
    }

    @Test
    void next_whenAThirdOfTheTermHasPassed_renewsAndGoesOn() {
        Tenure tenure = lead(1);
        pass(2000);
        Renew renew = (Renew) leadership.next();
        assertThat(renew).isEqualTo(new Renew(lease(1), ticker.nanos()));
        pass(100);
        leadership.renewed(renew, lease(1));
        assertThat(tenure.remaining()).isEqualTo(Duration.ofMillis(5250 - 100));
        assertThat(leadership.next()).isEqualTo(idle(1900));
    }

    @Test
    void next_whenRenewalsFail_triesAgainAndStepsDownBeforeTheLeaseEnds() {
        Tenure tenure = lead(1);
        long start = ticker.nanos();
        pass(2000);
        int renewals = 0;
        Step step = leadership.next();
        for (; !(step instanceof StepDown); step = leadership.next()) {
            switch (step) {
                case Renew renew -> {
                    renewals++;
                    leadership.unreachable(renew);
                }
                case Wait(Duration time) -> ticker.advance(time);
                default -> throw new AssertionError(step);
            }
        }
        assertThat(step).isEqualTo(new StepDown(lease(1), Why.OUT_OF_TIME));
        assertThat(renewals).isEqualTo(7);
        assertThat(Duration.ofNanos(ticker.nanos() - start)).isEqualTo(Duration.ofMillis(5250));
        assertThat(tenure.mayAct()).isFalse();
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
        assertThat(leadership.next()).isEqualTo(idle(500));
    }

    @Test
    void next_whenLost_stepsDownAndAsksAgain() {
        Tenure tenure = lead(1);
        leadership.lost(lease(2).fence());
        assertThat(leadership.leads()).isTrue();
        leadership.lost(lease(1).fence());
        assertThat(leadership.leads()).isFalse();
        assertThat(tenure.mayAct()).isFalse();
        assertThat(leadership.next()).isEqualTo(new StepDown(lease(1), Why.LOST));
        assertThat(leadership.next()).isInstanceOf(Ask.class);
    }

    @Test
    void withdraw_whenLeading_stepsDownThenReleasesThenIsDone() {
        Tenure tenure = lead(1);
        leadership.withdraw();
        assertThat(tenure.mayAct()).isFalse();
        assertThat(leadership.next()).isEqualTo(new StepDown(lease(1), Why.WITHDRAWN));
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
        assertThat(leadership.next()).isEqualTo(new Done());
    }

    @Test
    void withdraw_whenAsking_givesTheGrantBackWhenItComes() {
        Ask ask = ask();
        leadership.withdraw();
        assertThat(leadership.next()).isEqualTo(idle(500));
        leadership.granted(ask, lease(1));
        assertThat(leadership.leads()).isFalse();
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
        pass(500);
        assertThat(leadership.next()).isEqualTo(new Done());
    }

    @Test
    void granted_whenLateButOfUse_isTaken() {
        Ask first = ask();
        pass(600);
        ask();
        leadership.granted(first, lease(1));
        assertThat(leadership.next()).isInstanceOfSatisfying(Lead.class,
                lead -> assertThat(lead.tenure().remaining()).isEqualTo(Duration.ofMillis(5250 - 600)));
    }

    @Test
    void granted_whenTooLate_isGivenBack() {
        Ask first = ask();
        pass(5250);
        leadership.granted(first, lease(1));
        assertThat(leadership.leads()).isFalse();
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
    }

    @Test
    void granted_whenItComesTwice_isLedOnce() {
        Ask ask = ask();
        leadership.granted(ask, lease(1));
        leadership.granted(ask, lease(1));
        assertThat(leadership.next()).isInstanceOf(Lead.class);
        assertThat(leadership.next()).isInstanceOf(Wait.class);
        leadership.lost(lease(1).fence());
        leadership.granted(ask, lease(1));
        assertThat(leadership.leads()).isFalse();
        assertThat(leadership.next()).isEqualTo(new StepDown(lease(1), Why.LOST));
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
    }

    @Test
    void granted_whenTwoAsksWereGranted_leadsTheNewerEpoch() {
        Ask first = ask();
        pass(600);
        Ask second = ask();
        leadership.granted(first, lease(1));
        leadership.granted(second, lease(2));
        Tenure former = ((Lead) leadership.next()).tenure();
        assertThat(former.mayAct()).isFalse();
        assertThat(leadership.next()).isEqualTo(new StepDown(lease(1), Why.LOST));
        assertThat(leadership.next()).isInstanceOfSatisfying(Lead.class,
                lead -> assertThat(lead.tenure().lease()).isEqualTo(lease(2)));
    }

    @Test
    void granted_whenAnOlderEpochComesLater_isGivenBack() {
        Ask first = ask();
        pass(600);
        Ask second = ask();
        leadership.granted(first, lease(2));
        Tenure tenure = ((Lead) leadership.next()).tenure();
        leadership.granted(second, lease(1));
        assertThat(leadership.next()).isEqualTo(new Release(lease(1)));
        assertThat(tenure.mayAct()).isTrue();
    }

    @Test
    void granted_whenARestoredGrantorRepeatsEpochs_isTaken() {
        lead(100);
        leadership.lost(lease(100).fence());
        assertThat(leadership.next()).isInstanceOf(StepDown.class);
        assertThat(lead(51).mayAct()).isTrue();
    }

    @Test
    void refused_whenTheAnswerIsOld_isIgnored() {
        Ask first = ask();
        pass(600);
        ask();
        leadership.refused(first, Duration.ofHours(1));
        assertThat(leadership.next()).isEqualTo(idle(500));
    }

    @Test
    void create_whenRetryIsNotPositive_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Leadership(ticker, Duration.ZERO, () -> 0));
    }
}
