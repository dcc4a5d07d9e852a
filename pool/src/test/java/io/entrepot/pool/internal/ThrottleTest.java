package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private final ManualTicker ticker = new ManualTicker(0);
    private final Throttle throttle = new Throttle(ticker, 1000);

    @Test
    void pause_whenASecondsWorthIsUsedUp_isAsLongAsTheRestTakes() {
        assertThat(throttle.pause(1000)).isZero();
        assertThat(throttle.pause(500)).isEqualTo(Duration.ofMillis(500));
        ticker.advance(Duration.ofMillis(500));
        assertThat(throttle.pause(0)).isZero();
        assertThat(throttle.pause(2000)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void pause_whenNothingCameForLong_doesNotMakeUpForIt() {
        ticker.advance(Duration.ofHours(1));

        assertThat(throttle.pause(3000)).isEqualTo(Duration.ofSeconds(2));
    }
}
