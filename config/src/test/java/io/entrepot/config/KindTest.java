package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KindTest {
    private static final Path DIRECTORY = Path.of("/etc/entrepot");
    private static final Kind<Duration> DURATION = Kind.duration(Duration.ZERO, Duration.ofDays(30));
    private static final Kind<Long> BYTES = Kind.bytes(0, Long.MAX_VALUE);
    private static final Kind<Harbour.Placement> PLACEMENT = Kind.choice(Harbour.Placement.class);

    @ParameterizedTest
    @MethodSource
    <T> void read_whenItFits_givesTheValue(Kind<T> kind, Object raw, T value) throws Unfit {
        assertThat(kind.read(raw, DIRECTORY)).isEqualTo(value);
    }

    static Stream<Arguments> read_whenItFits_givesTheValue() {
        return Stream.of(
                arguments(Kind.text(), "a text", "a text"),
                arguments(Kind.secret(), "hush", new Secret("hush")),
                arguments(Kind.truth(), true, true),
                arguments(Kind.whole(-5, 5), -5L, -5),
                arguments(Kind.whole(-5, 5), 5L, 5),
                arguments(Kind.count(0, Long.MAX_VALUE), Long.MAX_VALUE, Long.MAX_VALUE),
                arguments(DURATION, "0s", Duration.ZERO),
                arguments(DURATION, "250ms", Duration.ofMillis(250)),
                arguments(DURATION, "5m", Duration.ofMinutes(5)),
                arguments(DURATION, "7d", Duration.ofDays(7)),
                arguments(DURATION, "1d2h3m4s5ms", Duration.parse("P1DT2H3M4.005S")),
                arguments(DURATION, "90m", Duration.ofMinutes(90)),
                arguments(BYTES, "0B", 0L),
                arguments(BYTES, "64KiB", 65_536L),
                arguments(BYTES, "10GB", 10_000_000_000L),
                arguments(BYTES, "7PiB", 7L << 50),
                arguments(Kind.path(), "data", Path.of("/etc/entrepot/data")),
                arguments(Kind.path(), "../data/./x", Path.of("/etc/data/x")),
                arguments(Kind.path(), "/srv", Path.of("/srv")),
                arguments(PLACEMENT, "most-free", Harbour.Placement.MOST_FREE),
                arguments(Kind.listOf(Kind.text()), List.of("a", "b"), List.of("a", "b")),
                arguments(Kind.listOf(Kind.text()), List.of(), List.of()),
                arguments(Kind.listOf(DURATION), List.of("1s"), List.of(Duration.ofSeconds(1))));
    }

    @ParameterizedTest
    @MethodSource
    void read_whenItDoesNotFit_saysWhyAndWhatToDo(Kind<?> kind, Object raw, String problem, String suggestion) {
        Unfit unfit = catchThrowableOfType(Unfit.class, () -> kind.read(raw, DIRECTORY));
        assertThat(unfit.problem()).isEqualTo(problem);
        assertThat(unfit.suggestion()).isEqualTo(suggestion);
    }

    static Stream<Arguments> read_whenItDoesNotFit_saysWhyAndWhatToDo() {
        String notADuration = "is not a duration such as \"30s\" or \"1h30m\"";
        String units = "the units are d, h, m, s and ms, with whole numbers";
        String notASize = "is not a size such as \"64KiB\" or \"10GB\"";
        String sizes = "the units are B, KiB, MiB, GiB, TiB, PiB and KB, MB, GB, TB, PB, with whole numbers";
        String notAPlacement = "is not one of \"most-free\", \"round-robin\"";
        return Stream.of(
                arguments(Kind.text(), 7L, "is not text", "write it in quotes"),
                arguments(Kind.text(), " ", "is blank, and not text", "leave the key out if there is nothing to say"),
                arguments(Kind.text(), List.of("a"), "is not text", ""),
                arguments(Kind.truth(), "Yes", "is not true or false", "did you mean true, without quotes?"),
                arguments(Kind.truth(), 0L, "is not true or false", "did you mean false, without quotes?"),
                arguments(Kind.truth(), "maybe", "is not true or false", ""),
                arguments(Kind.whole(1, 9), "3", "is not a whole number", "write it without quotes"),
                arguments(Kind.whole(1, 9), 1.5, "is not a whole number", ""),
                arguments(Kind.whole(1, 9), 0L, "is too small", "the lowest is 1"),
                arguments(Kind.whole(1, 9), 1L << 40, "is too large", "the highest is 9"),
                arguments(DURATION, "5 min", notADuration, "did you mean \"5m\"?"),
                arguments(DURATION, "5S", notADuration, "did you mean \"5s\"?"),
                arguments(DURATION, "2 Hours", notADuration, "did you mean \"2h\"?"),
                arguments(DURATION, 30L, notADuration, "write it with a unit, and in quotes: \"30s\" for seconds"),
                arguments(DURATION, "30", notADuration, "write it with a unit, and in quotes: \"30s\" for seconds"),
                arguments(DURATION, "1.5h", notADuration, units),
                arguments(DURATION, "5m1h", notADuration, units),
                arguments(DURATION, "3w", notADuration, units),
                arguments(DURATION, "-5s", notADuration, units),
                arguments(DURATION, "", notADuration, units),
                arguments(DURATION, "999999999d", "is too large", "the highest is \"30d\""),
                arguments(BYTES, "64K", notASize, "did you mean \"64KiB\", by 1024, or \"64KB\", by 1000?"),
                arguments(BYTES, "64kib", notASize, "did you mean \"64KiB\"?"),
                arguments(BYTES, "10 gb", notASize, "did you mean \"10GiB\", by 1024, or \"10GB\", by 1000?"),
                arguments(BYTES, 4096L, notASize, "did you mean \"4096B\"?"),
                arguments(BYTES, "1.5GB", notASize, sizes),
                arguments(BYTES, "999999999999PiB", "is more than can be counted", ""),
                arguments(Kind.bytes(1024, 1 << 20), "1B", "is too small", "the lowest is \"1KiB\""),
                arguments(Kind.path(), "~/data", "begins with ~, which only a shell understands",
                        "write the whole path"),
                arguments(Kind.path(), "a\0b", "is not a path: Nul character not allowed", ""),
                arguments(Kind.path(), true, "is not a path", "write it in quotes"),
                arguments(PLACEMENT, "MOST_FREE", notAPlacement, "did you mean \"most-free\"?"),
                arguments(PLACEMENT, "roundrobbin", notAPlacement, "did you mean \"round-robin\"?"),
                arguments(PLACEMENT, "best", notAPlacement, ""),
                arguments(PLACEMENT, 1L, notAPlacement, ""),
                arguments(Kind.listOf(Kind.text()), "a", "is not a list, each text",
                        "write it in square brackets: [\"a\"]"),
                arguments(Kind.listOf(DURATION), List.of("1s", "1"),
                        "has an entry that does not fit: number 2, \"1\", " + notADuration,
                        "write it with a unit, and in quotes: \"1s\" for seconds"),
                arguments(Kind.text().as("a number", Integer::valueOf, String::valueOf), "x",
                        "is not a number: For input string: \"x\"", ""));
    }

    @Test
    void read_whenASecretDoesNotFit_doesNotTellIt() {
        Kind<Integer> pin = Kind.secret().as("a pin", secret -> Integer.valueOf(secret.text()),
                number -> new Secret(number.toString()));
        assertThatThrownBy(() -> pin.read("hush", DIRECTORY)).hasMessage("is not a pin");
        assertThatThrownBy(() -> Kind.listOf(pin).read(List.of("hush"), DIRECTORY))
                .hasMessage("has an entry that does not fit: number 1 is not a pin");
    }

    @Test
    void toString_ofASecret_doesNotTellIt() {
        assertThat(new Secret("hush")).hasToString("***");
    }

    @Test
    void write_whenFinerThanCanBeWritten_isRefused() {
        assertThatThrownBy(() -> DURATION.write(Duration.ofNanos(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DURATION.write(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void or_whenTheDefaultCouldNotBeWritten_isRefused() {
        assertThatThrownBy(() -> Setting.of("n", Kind.whole(1, 9), "A number.").or(10))
                .hasMessage("the default of n is too large");
    }
}
