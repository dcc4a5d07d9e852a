package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualTickerTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void advance_whenCalled_movesByThatMuch() {
        ticker.advance(Duration.ofMillis(3));
        ticker.advance(Duration.ofNanos(4));
        assertThat(ticker.nanos()).isEqualTo(3_000_004);
    }

    @Test
    void advance_whenNegative_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ticker.advance(Duration.ofNanos(-1)));
    }
}
