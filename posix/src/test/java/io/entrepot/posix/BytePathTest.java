package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytePathTest {

    @Property
    void parse_ofAnyPathsText_givesThePathBack(@ForAll("paths") BytePath path) {
        assertThat(BytePath.parse(path.toString())).isEqualTo(path).hasSameHashCodeAs(path);
    }

    @Property
    void ofPath_ofJavasPathForIt_givesThePathBack(@ForAll("paths") BytePath path) {
        assertThat(BytePath.of(path.toPath())).isEqualTo(path);
    }

    @Property
    void parentAndName_together_areThePath(@ForAll("paths") BytePath path) {
        assertThat(path.parent().isPresent()).isEqualTo(path.depth() > 0).isEqualTo(path.name().isPresent());
        path.parent().ifPresent(parent -> {
            assertThat(parent.resolve(path.name().orElseThrow())).isEqualTo(path);
            assertThat(parent.depth()).isEqualTo(path.depth() - 1);
            assertThat(path.startsWith(parent)).isTrue();
            assertThat(parent.startsWith(path)).isFalse();
        });
    }

    @Property
    void names_resolvedOneByOne_areThePath(@ForAll("paths") BytePath path) {
        BytePath built = path.isAbsolute() ? BytePath.ROOT : BytePath.CURRENT;
        for (Name name : path.names()) {
            built = built.resolve(name);
        }
        assertThat(built).isEqualTo(path);
        assertThat(path.names()).hasSize(path.depth());
    }

    @Property
    void relativize_ofWhatWasResolved_givesItBack(@ForAll("paths") BytePath path, @ForAll("paths") BytePath other) {
        BytePath resolved = path.resolve(other);
        if (other.isAbsolute()) {
            assertThat(resolved).isEqualTo(other);
        } else {
            assertThat(resolved.startsWith(path)).isTrue();
            assertThat(path.relativize(resolved)).isEqualTo(other);
        }
    }

    @Provide
    Arbitrary<BytePath> paths() {
        Arbitrary<List<Name>> names = new NameTest().names().list().ofMaxSize(5);
        return Combinators.combine(Arbitraries.of(true, false), names).as((absolute, list) -> {
            String text = list.stream().map(Name::toString).collect(Collectors.joining("/", absolute ? "/" : "", ""));
            return BytePath.parse(text);
        });
    }

    @ParameterizedTest
    @CsvSource({"/,/", "//,/", "/a/,/a", "//a///b/,/a/b", "a/./b,a/b", "'',.", ".,.", "./a,a", "/.,/",
            "/.hidden/...,/.hidden/..."})
    void of_whenWrittenInOtherWays_isTheSame(String text, String clean) {
        assertThat(BytePath.of(text)).hasToString(clean).isEqualTo(BytePath.of(clean));
    }

    @ParameterizedTest
    @CsvSource({"/a/b,/a,true", "/ab,/a,false", "/a,/a,true", "/a,/,true", "a,/,false", "a/b,a,true", "a,'',true",
            "/a,'',false",
            "/a,/a/b,false"})
    void startsWith_goesByWholeNames(String path, String prefix, boolean expected) {
        assertThat(BytePath.of(path).startsWith(BytePath.of(prefix))).isEqualTo(expected);
    }

    @Test
    void of_whenItGoesUp_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BytePath.of("/a/../b"))
                .withMessageContaining("resolve it first");
        assertThatIllegalArgumentException().isThrownBy(() -> BytePath.parse("a/\\x2e\\x2e"));
    }

    @Test
    void relativize_whenNotUnder_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BytePath.of("/a").relativize(BytePath.of("/ab")));
    }

    @Test
    void ofPath_whenPlain_isItsText() {
        assertThat(BytePath.of(Path.of("/tmp/größe"))).isEqualTo(BytePath.of("/tmp/größe"));
        assertThat(BytePath.of(Path.of(""))).isEqualTo(BytePath.CURRENT);
    }
}
