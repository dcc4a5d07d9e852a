package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausesTest {

    @Test
    void next_growsUpToItsLongestAndEndsAtTheDeadline() {
        Pauses pauses = new Pauses(Duration.ofSeconds(60), () -> 1.0);
        Duration all = Duration.ZERO;
        Duration before = Duration.ZERO;
        for (Optional<Duration> next = pauses.next(Optional.empty()); next.isPresent(); next = pauses
                .next(Optional.empty())) {
            assertThat(next.get()).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(Duration.ofSeconds(5));
            pauses.spent(next.get());
            all = all.plus(next.get());
            before = next.get();
        }
        assertThat(all).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
    }

    @Test
    void next_isNotShorterThanTheServerWants() {
        Pauses pauses = new Pauses(Duration.ofSeconds(60), () -> 0.0);
        assertThat(pauses.next(Optional.of(Duration.ofSeconds(7))).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofSeconds(7));
        assertThat(pauses.next(Optional.of(Duration.ofSeconds(61)))).isEmpty();
    }

    @Test
    void next_withoutADeadline_isNone() {
        assertThat(new Pauses(Duration.ZERO, () -> 0.5).next(Optional.empty())).isEmpty();
    }
}
