package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.EpochNanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockDriftTest {
    private Instant now = Instant.parse("2026-11-16T12:00:00Z");
    private final ClockDrift drift = new ClockDrift(() -> now);

    @Test
    void estimate_whenThereAreTooFewSamples_isUnknown() {
        assertThat(drift.estimate().isKnown()).isFalse();
        assertThat(drift.estimate().drift()).isZero();
        sample(Duration.ofHours(3), 4);
        assertThat(drift.estimate().isKnown()).isFalse();
    }

    @Test
    void estimate_whenStorageIsAhead_isThatMuch() {
        sample(Duration.ofMinutes(7), 10);
        assertThat(drift.estimate()).isEqualTo(
                new ClockDrift.Estimate(Duration.ofMinutes(7), Duration.ofMillis(20), 10));
        assertThat(drift.estimate().toOurs(EpochNanos.of(now.plusSeconds(420)))).isEqualTo(EpochNanos.of(now));
    }

    @Test
    void estimate_whenSomeSamplesAreAbsurd_ignoresThem() {
        Random random = new Random(1);
        for (int i = 0; i < 60; i++) {
            drift.sample(switch (i % 5) {
                case 0 -> random.nextLong();
                case 1 -> EpochNanos.of(now.minus(Duration.ofMinutes(random.nextInt(100_000))));
                default -> EpochNanos.of(now.plusSeconds(30).minusMillis(random.nextInt(10)));
            });
        }
        assertThat(drift.estimate().drift()).isBetween(Duration.ofMillis(29_980), Duration.ofSeconds(30));
        assertThat(drift.estimate().error()).isLessThan(Duration.ofSeconds(1));
        assertThat(drift.estimate().samples()).isGreaterThan(30);
    }

    @Test
    void estimate_whenStorageClockWasSet_followsSoon() {
        sample(Duration.ofHours(1), 64);
        sample(Duration.ofSeconds(-5), 40);
        assertThat(drift.estimate().drift()).isEqualTo(Duration.ofSeconds(-5));
    }

    @Test
    void estimate_whenSamplesAreOld_isForgotten() {
        sample(Duration.ofHours(1), 64);
        now = now.plus(Duration.ofHours(2));
        assertThat(drift.estimate().isKnown()).isFalse();
    }

    private void sample(Duration ahead, int times) {
        for (int i = 0; i < times; i++) {
            drift.sample(EpochNanos.of(now.plus(ahead)));
        }
    }
}
