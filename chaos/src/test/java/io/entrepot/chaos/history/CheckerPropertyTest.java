package io.entrepot.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckerPropertyTest {

    @Property(tries = 1_000)
    void aCorrectQueue_isNeverAccused(@ForAll long seed, @ForAll @IntRange(min = 1, max = 1_000) int steps) {
        Verdict verdict = Simulation.run(Bug.NONE, seed, steps);
        assertThat(verdict.violations()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBug_isCaught(Bug bug) {
        long caught = LongStream.range(0, 100)
                .filter(seed -> Simulation.run(bug, seed, 1_500).violations().stream()
                        .anyMatch(violation -> violation.rule() == bug.rule))
                .count();
        assertThat(caught).as("of 100 histories").isGreaterThan(90);
    }
}
