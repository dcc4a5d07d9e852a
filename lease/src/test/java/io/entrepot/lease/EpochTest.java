package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EpochTest {

    @Test
    void next_whenNone_isTheFirst() {
        assertThat(Epoch.NONE.next()).isEqualTo(new Epoch(1)).isGreaterThan(Epoch.NONE);
        assertThat(new Epoch(1).isAfter(Epoch.NONE)).isTrue();
        assertThat(new Epoch(1).isAfter(new Epoch(1))).isFalse();
    }

    @Test
    void next_whenNoneIsLeft_isRefused() {
        assertThatThrownBy(new Epoch(Long.MAX_VALUE)::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void create_whenNegative_isRefused() {
        assertThatThrownBy(() -> new Epoch(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
