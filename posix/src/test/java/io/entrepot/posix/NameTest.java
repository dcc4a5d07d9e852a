package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameTest {

    @Property
    void parse_ofAnyNamesText_givesTheNameBack(@ForAll("names") Name name) {
        assertThat(Name.parse(name.toString())).isEqualTo(name).hasSameHashCodeAs(name);
    }

    @Property
    void toString_ofAnyName_canBePrintedOnOneLine(@ForAll("names") Name name) {
        assertThat(name.toString().codePoints()).allMatch(point -> point == ' ' || (!Character.isISOControl(point)
                && !Character.isWhitespace(point) && Character.getType(point) != Character.FORMAT
                && Character.getType(point) != Character.SURROGATE));
    }

    @Property
    void compareTo_ofTwoNames_isByUnsignedBytes(@ForAll("names") Name one, @ForAll("names") Name two) {
        assertThat(Integer.signum(one.compareTo(two)))
                .isEqualTo(Integer.signum(Arrays.compareUnsigned(one.bytes(), two.bytes())))
                .isEqualTo(Integer.signum(one.compareTo(two.bytes(), 0, two.length())));
        assertThat(one.equals(two)).isEqualTo(Arrays.equals(one.bytes(), two.bytes()));
    }

    @Provide
    Arbitrary<Name> names() {
        Arbitrary<byte[]> raw = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
        Arbitrary<byte[]> text = Arbitraries.strings().ofMaxLength(20).map(s -> s.getBytes(StandardCharsets.UTF_8));
        Arbitrary<byte[]> nasty = Arbitraries
                .of("\\", "\\x", "x41", "\n", "é", "\u202e", "\u2028", "\u00a0", "😀", "\ufeff", ".")
                .list().ofMaxSize(8).map(parts -> String.join("", parts).getBytes(StandardCharsets.UTF_8));
        return Arbitraries.oneOf(raw, text, nasty).filter(NameTest::isName).map(Name::of);
    }

    private static boolean isName(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return !text.isEmpty() && !text.equals(".") && !text.equals("..") && text.indexOf('/') < 0
                && text.indexOf(0) < 0;
    }

    @ParameterizedTest
    @CsvSource({"plain.txt,plain.txt", "'a b','a b'", "a\\b,a\\\\b", "'a\nb',a\\x0ab",
            "\u202etxt.exe,\\xe2\\x80\\xaetxt.exe",
            "a\u2028b,a\\xe2\\x80\\xa8b", "\u007f,\\x7f", "größe,größe", "文件,文件"})
    void toString_whenUnprintable_isEscaped(String text, String escaped) {
        assertThat(Name.of(text)).hasToString(escaped);
    }

    @Test
    void toString_whenNotUtf8_isEscapedByteByByte() {
        assertThat(Name.of(new byte[]{'a', (byte) 0xff, (byte) 0xc3})).hasToString("a\\xff\\xc3");
        // Overlong, a surrogate, beyond Unicode.
        assertThat(Name.of(new byte[]{(byte) 0xc0, (byte) 0xaf})).hasToString("\\xc0\\xaf");
        assertThat(Name.of(new byte[]{(byte) 0xed, (byte) 0xa0, (byte) 0x80})).hasToString("\\xed\\xa0\\x80");
        assertThat(Name.of(new byte[]{(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}))
                .hasToString("\\xf4\\x90\\x80\\x80");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "a\\", "\\n", "\\x", "\\x4", "\\xg0", "\\x٠٠", "a\\ b", "\ud800"})
    void parse_whenTheEscapeIsBad_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Name.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "a\0"})
    void of_whenNoName_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Name.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\x2e", "\\x2e.", "a\\x2fb", "\\x00"})
    void parse_whenNoNameIsHiddenInEscapes_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Name.parse(text));
    }
}
