package io.entrepot.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class RetryPolicyTest {
    private static final Duration LONGEST = Duration.ofDays(3650);

    @Provide
    Arbitrary<RetryPolicy> policies() {
        Arbitrary<Long> nanos = Arbitraries.longs().between(0, LONGEST.toNanos());
        return Combinators.combine(nanos, nanos, Arbitraries.of(true, false)).as((a, b, exponential) -> new RetryPolicy(
                Duration.ofNanos(Math.min(a, b)), Duration.ofNanos(Math.max(a, b)), 3, exponential));
    }

    @Property
    void delay_whateverTheCount_isTheFormulaWithoutOverflow(@ForAll("policies") RetryPolicy policy,
            @ForAll @IntRange(min = 1, max = 100) int failures) {
        BigInteger initial = BigInteger.valueOf(policy.initial().toNanos());
        BigInteger exact = policy.exponential()
                ? initial.shiftLeft(failures - 1).min(BigInteger.valueOf(policy.max().toNanos()))
                : initial;
        assertThat(policy.delay(failures)).isEqualTo(Duration.ofNanos(exact.longValueExact()));
    }

    @Property
    void delay_whateverTheCount_isBetweenInitialAndMax(@ForAll("policies") RetryPolicy policy, @ForAll int failures) {
        assertThat(policy.delay(failures)).isBetween(policy.initial(), policy.max());
    }

    @Property
    void delay_whenFailingOnceMore_isNotShorter(@ForAll("policies") RetryPolicy policy,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int failures) {
        assertThat(policy.delay(failures + 1)).isGreaterThanOrEqualTo(policy.delay(failures));
    }

    @Example
    void defaults_areThoseOfTheDesign() {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        assertThat(policy.attempts()).isEqualTo(3);
        assertThat(policy.delay(1)).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.delay(2)).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.delay(6)).isEqualTo(Duration.ofSeconds(160));
        assertThat(policy.delay(7)).isEqualTo(Duration.ofMinutes(5));
        assertThat(policy.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
    }

    @Example
    void fixed_isAlwaysTheSame() {
        RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(7), 2);
        assertThat(policy.delay(1)).isEqualTo(Duration.ofSeconds(7));
        assertThat(policy.delay(1_000_000)).isEqualTo(Duration.ofSeconds(7));
        assertThat(policy.attempts()).isEqualTo(2);
    }

    @Example
    void delay_whenInitialIsZero_isZero() {
        assertThat(new RetryPolicy(Duration.ZERO, Duration.ofHours(1), 3, true).delay(1000)).isZero();
    }

    @Example
    void make_whenSenseless_isRefusedWithTheLimits() {
        Duration second = Duration.ofSeconds(1);
        for (Runnable wrong : new Runnable[]{() -> new RetryPolicy(second.negated(), second, 3, true),
                () -> new RetryPolicy(second.plusNanos(1), second, 3, true),
                () -> new RetryPolicy(second, LONGEST.plusNanos(1), 3, true),
                () -> new RetryPolicy(second, Duration.ofSeconds(Long.MAX_VALUE), 3, true),
                () -> new RetryPolicy(second, second, 0, true), () -> RetryPolicy.fixed(second, -1)}) {
            assertThatIllegalArgumentException().isThrownBy(wrong::run)
                    .withMessageContaining("at least one attempt and 0 ≤ initial ≤ max ≤ 3650 days");
        }
        assertThat(new RetryPolicy(LONGEST, LONGEST, Integer.MAX_VALUE, true).delay(5)).isEqualTo(LONGEST);
    }
}
