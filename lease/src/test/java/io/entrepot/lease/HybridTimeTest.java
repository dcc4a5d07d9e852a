package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HybridTimeTest {
    private static final Comparator<HybridTime> BY_FIELDS = Comparator.comparingLong(HybridTime::millis)
            .thenComparingInt(HybridTime::counter);

    @Provide
    Arbitrary<HybridTime> times() {
        return Combinators.combine(
                Arbitraries.oneOf(Arbitraries.longs().between(0, 3), Arbitraries.longs().between(0, (1L << 47) - 1)),
                Arbitraries.integers().between(0, 65535)).as(HybridTime::new);
    }

    @Property
    void packed_whenCompared_keepsTheOrder(@ForAll("times") HybridTime a, @ForAll("times") HybridTime b) {
        int order = Integer.signum(BY_FIELDS.compare(a, b));
        assertThat(Integer.signum(Long.compare(a.packed(), b.packed()))).isEqualTo(order);
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(order);
    }

    @Property
    void unpackAndParse_whenWritten_giveTheSameTime(@ForAll("times") HybridTime time) {
        assertThat(HybridTime.unpack(time.packed())).isEqualTo(time);
        assertThat(HybridTime.parse(time.toString())).isEqualTo(time);
    }

    @Test
    void next_whenTheCounterIsFull_movesTheMillisecondsOn() {
        assertThat(new HybridTime(5, 7).next()).isEqualTo(new HybridTime(5, 8));
        assertThat(new HybridTime(5, 65535).next()).isEqualTo(new HybridTime(6, 0));
        assertThatThrownBy(new HybridTime((1L << 47) - 1, 65535)::next).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1-", "-1", "1-65536", "01-1", "1-01", "1.1", "140737488355328-0", " 1-1", "-1-1"})
    void parse_whenGarbage_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HybridTime.parse(text));
    }

    @Test
    void unpack_whenNegative_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> HybridTime.unpack(-1));
    }
}
