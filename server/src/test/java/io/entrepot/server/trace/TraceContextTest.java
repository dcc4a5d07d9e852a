package io.entrepot.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void read_takesWhatTheStandardShows() {
        assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-01", "a=1"))
                .contains(new TraceContext(TRACE, SPAN, true, "a=1"));
        assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-02", null))
                .contains(new TraceContext(TRACE, SPAN, false, ""));
        assertThat(TraceContext.read("01-" + TRACE + "-" + SPAN + "-01-later", null)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "00-" + TRACE + "-" + SPAN, "ff-" + TRACE + "-" + SPAN + "-01",
            "00-" + TRACE + "-" + SPAN + "-01-more", "00-00000000000000000000000000000000-" + SPAN + "-01",
            "00-" + TRACE + "-0000000000000000-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
            "00-" + TRACE + "-" + SPAN + "-01\nx"})
    void read_whenItIsNone_beginsAnew(String text) {
        assertThat(TraceContext.read(text, null)).isEmpty();
    }

    @Test
    void read_whenTheStateIsTooLong_leavesItOut() {
        assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-01", "a=" + "1".repeat(600)).orElseThrow().state())
                .isEmpty();
    }

    @Test
    void isAmong_takesTheShareThatIsWanted() {
        assertThat(TraceContext.isAmong(1, TRACE)).isTrue();
        assertThat(TraceContext.isAmong(0, TRACE)).isFalse();
        long taken = IntStream.range(0, 10_000).filter(_ -> TraceContext.isAmong(0.25, TraceContext.newTrace()))
                .count();
        assertThat(taken).isBetween(2000L, 3000L);
    }

    @Test
    void newTrace_isOneThatCanBeRead() {
        assertThat(TraceContext.read("00-" + TraceContext.newTrace() + "-" + TraceContext.newSpan() + "-01", null))
                .isPresent();
    }
}
