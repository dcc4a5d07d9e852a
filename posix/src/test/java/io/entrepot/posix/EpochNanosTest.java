package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EpochNanosTest {
    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    @Property
    void of_anyTime_isExactOrTheNearest(@ForAll long seconds, @ForAll @IntRange(max = 999_999_999) int nanos) {
        assertThat(EpochNanos.of(seconds, nanos)).isEqualTo(exactOrNearest(seconds, nanos));
        long near = seconds % 9_223_372_040L;
        assertThat(EpochNanos.of(near, nanos)).isEqualTo(exactOrNearest(near, nanos));
    }

    private static long exactOrNearest(long seconds, int nanos) {
        return BigInteger.valueOf(seconds).multiply(BigInteger.valueOf(1_000_000_000)).add(BigInteger.valueOf(nanos))
                .max(MIN)
                .min(MAX).longValueExact();
    }

    @Test
    void of_atTheEdges_isExact() {
        assertThat(EpochNanos.of(9_223_372_036L, 854_775_807)).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(9_223_372_036L, 854_775_806)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(EpochNanos.of(9_223_372_036L, 854_775_808)).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(-9_223_372_037L, 145_224_192)).isEqualTo(Long.MIN_VALUE);
        assertThat(EpochNanos.of(-9_223_372_037L, 145_224_193)).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(EpochNanos.of(-9_223_372_037L, 145_224_191)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void of_absurdTimes_neitherOverflowsNorThrows() {
        assertThat(EpochNanos.of(Instant.parse("0001-01-01T00:00:00Z"))).isEqualTo(Long.MIN_VALUE);
        assertThat(EpochNanos.of(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
        assertThat(EpochNanos.of(Instant.ofEpochMilli(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(Long.MAX_VALUE, 999_999_999)).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(Long.MIN_VALUE, 0)).isEqualTo(Long.MIN_VALUE);
    }

    @Property
    void toInstant_ofAnyNanos_isTheWayBack(@ForAll long nanos) {
        assertThat(EpochNanos.of(EpochNanos.toInstant(nanos))).isEqualTo(nanos);
    }
}
