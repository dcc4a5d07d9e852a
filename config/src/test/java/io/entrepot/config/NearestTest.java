package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

    @ParameterizedTest
    @CsvSource({"atempts, attempts", "attemtps, attempts", "Attempts, attempts", "max_delay, max-delay",
            "maxDelay, max-delay", "prot, port", "por, port", "path, path"})
    void to_whenFewSlips_findsIt(String written, String meant) {
        assertThat(Nearest.to(written, List.of("attempts", "max-delay", "port", "path"))).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"colour", "x", "delay", "''"})
    void to_whenItIsSomethingElse_findsNothing(String written) {
        assertThat(Nearest.to(written, List.of("attempts", "max-delay", "port", "path"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"abc, abc, 0", "abc, acb, 1", "abc, ab, 1", "abc, abcd, 1", "abc, xbc, 1", "'', abc, 3", "ab, ba, 1",
            "abcd, badc, 2"})
    void slips_areCounted(String a, String b, int slips) {
        assertThat(Nearest.slips(a, b)).isEqualTo(slips);
        assertThat(Nearest.slips(b, a)).isEqualTo(slips);
    }
}
