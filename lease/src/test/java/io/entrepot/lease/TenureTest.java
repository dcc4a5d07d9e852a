package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TenureTest {
    private static final Lease LEASE = lease(8000, 1);

    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000);

    private static Lease lease(long millis, long epoch) {
        return new Lease("view/docs", "agent-1", new Fence(new Epoch(epoch), 42), Duration.ofMillis(millis),
                Protection.UNFENCED);
    }

    @Test
    void mayAct_whenSafetyMarginBegins_isFalse() {
        Tenure tenure = new Tenure(LEASE, ticker, ticker.nanos());
        ticker.advance(Duration.ofSeconds(7).minusNanos(1));
        assertThat(tenure.mayAct()).isTrue();
        assertThat(tenure.remaining()).isEqualTo(Duration.ofNanos(1));
        ticker.advance(Duration.ofNanos(1));
        assertThat(tenure.mayAct()).isFalse();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(tenure.remaining()).isZero();
    }

    @Test
    void mayAct_whenTheAnswerTookLong_countsFromTheSending() {
        long sentAt = ticker.nanos();
        ticker.advance(Duration.ofSeconds(5));
        assertThat(new Tenure(LEASE, ticker, sentAt).remaining()).isEqualTo(Duration.ofSeconds(2));
        ticker.advance(Duration.ofSeconds(2));
        assertThat(new Tenure(LEASE, ticker, sentAt).mayAct()).isFalse();
    }

    @Test
    void create_whenTermIsShort_keepsTenMilliseconds() {
        Tenure tenure = new Tenure(lease(16, 1), ticker, ticker.nanos());
        assertThat(tenure.remaining()).isEqualTo(Duration.ofMillis(6));
        assertThatIllegalArgumentException().isThrownBy(() -> new Tenure(lease(10, 1), ticker, ticker.nanos()));
    }

    @Test
    void create_whenSentInTheFuture_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Tenure(LEASE, ticker, ticker.nanos() + 1));
    }

    @Test
    void shouldRenew_whenAThirdHasPassed_isTrueUntilRenewed() {
        Tenure tenure = new Tenure(LEASE, ticker, ticker.nanos(), Duration.ZERO);
        ticker.advance(Duration.ofMillis(2666));
        assertThat(tenure.shouldRenew()).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(tenure.shouldRenew()).isTrue();
        tenure.renewed(LEASE, ticker.nanos());
        assertThat(tenure.shouldRenew()).isFalse();
        assertThat(tenure.remaining()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void renewed_whenAnswersComeOutOfOrder_countsFromTheLatestSending() {
        long first = ticker.nanos();
        Tenure tenure = new Tenure(LEASE, ticker, first);
        ticker.advance(Duration.ofSeconds(3));
        tenure.renewed(LEASE, ticker.nanos());
        tenure.renewed(LEASE, first);
        assertThat(tenure.remaining()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void renewed_whenItIsAnotherLease_isRefused() {
        Tenure tenure = new Tenure(LEASE, ticker, ticker.nanos());
        assertThatIllegalArgumentException().isThrownBy(() -> tenure.renewed(lease(8000, 2), ticker.nanos()));
    }

    @Test
    void stop_whenARenewalComesLate_isFinal() {
        Tenure tenure = new Tenure(LEASE, ticker, ticker.nanos());
        tenure.stop();
        ticker.advance(Duration.ofSeconds(3));
        tenure.renewed(LEASE, ticker.nanos());
        assertThat(tenure.mayAct()).isFalse();
        assertThat(tenure.remaining()).isZero();
        assertThat(tenure.shouldRenew()).isFalse();
    }
}
