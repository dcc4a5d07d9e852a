package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.tomlj.Toml;

/** What is written can be read again. */
class KindPropertyTest {

    @Property
    void durations_whenWritten_areReadAgain(@ForAll @LongRange(min = 0, max = 1L << 50) long millis) throws Unfit {
        Duration value = Duration.ofMillis(millis);
        Kind<Duration> kind = Kind.duration(Duration.ZERO, Duration.ofMillis(1L << 50));
        assertThat(kind.read(kind.write(value), Path.of("/"))).isEqualTo(value);
    }

    @Property
    void sizes_whenWritten_areReadAgain(@ForAll("sizes") long value) throws Unfit {
        Kind<Long> kind = Kind.bytes(0, 1L << 58);
        assertThat(kind.read(kind.write(value), Path.of("/"))).isEqualTo(value);
    }

    @Provide
    Arbitrary<Long> sizes() {
        Arbitrary<Long> factors = Arbitraries.of(1L, 1000L, 1024L, 1_000_000L, 1L << 20, 1L << 30);
        return Arbitraries.longs().between(0, 1L << 28).flatMap(number -> factors.map(factor -> number * factor));
    }

    @Property
    void texts_whenWritten_areReadAgain(@ForAll("texts") List<String> texts) {
        assertThat(Toml.parse("key = " + Written.toml(texts)).getArrayOrEmpty("key").toList()).isEqualTo(texts);
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings().withCharRange('\0', '\u00ff').withChars('"', '\\', '\n', '€', '#').ofMaxLength(20)
                .list().ofMaxSize(5);
    }
}
