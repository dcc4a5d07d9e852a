package io.entrepot.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void take_givesABurstAndThenAsOftenAsAllowed() {
        RateLimit limit = new RateLimit(() -> new RateLimit.Rate(2, 3), nanos::get);
        for (int i = 0; i < 3; i++) {
            assertThat(limit.take("a")).isEmpty();
        }
        assertThat(limit.take("a")).contains(Duration.ofMillis(500));
        assertThat(limit.take("b")).as("each has its own").isEmpty();
        nanos.addAndGet(1_000_000_000L);
        assertThat(limit.take("a")).isEmpty();
        assertThat(limit.take("a")).isPresent();
    }

    @Test
    void take_ofVeryManyNames_keepsMemoryBounded() {
        RateLimit limit = new RateLimit(() -> new RateLimit.Rate(1, 1), nanos::get);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            refused += limit.take("n" + i).isPresent() ? 1 : 0;
        }
        assertThat(refused).as("those beyond share one").isGreaterThan(9_000);
        nanos.addAndGet(10_000_000_000L);
        assertThat(limit.take("n0")).isEmpty();
    }

    @Test
    void take_whenThereAreTooManyNames_forgetsQuietOnesOnceASecond() {
        RateLimit limit = new RateLimit(() -> new RateLimit.Rate(10, 1), nanos::get);
        for (int i = 0; i <= 10_000; i++) {
            assertThat(limit.take("n" + i)).isEmpty();
        }
        nanos.addAndGet(500_000_000L);
        assertThat(limit.take("new")).as("the one that is shared").isEmpty();
        assertThat(limit.take("another")).as("the same").isPresent();
        nanos.addAndGet(500_000_000L);
        assertThat(limit.take("new")).isEmpty();
        assertThat(limit.take("another")).as("one of its own").isEmpty();
    }

    @Test
    void take_withoutALimit_isAlwaysFine() {
        RateLimit limit = new RateLimit(() -> new RateLimit.Rate(0, 0), nanos::get);
        for (int i = 0; i < 100; i++) {
            assertThat(limit.take("a")).isEmpty();
        }
    }
}
