package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileKeyTest {

    @Property
    void parse_ofAnyKeysText_givesTheKeyBack(@ForAll @LongRange(min = 1) long number, @ForAll long nonce) {
        FileKey key = new FileKey(number, nonce);
        assertThat(key.toString()).matches("[0-9a-f]{32}");
        assertThat(FileKey.isValid(key.toString())).isTrue();
        assertThat(FileKey.parse(key.toString())).isEqualTo(key);
    }

    @Property
    void toString_ofTwoHundredAndFiftySixInARow_beginsWithTheSameFourDigits(
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE >>> 8) long block, @ForAll long nonce) {
        Set<String> beginnings = new HashSet<>();
        for (long low = 0; low < 256; low++) {
            beginnings.add(new FileKey((block << 8) + low, nonce + low).toString().substring(0, 4));
        }
        assertThat(beginnings).hasSize(1);
        assertThat(beginnings).doesNotContain(new FileKey((block << 8) - 1, nonce).toString().substring(0, 4));
    }

    /** Each directory has been used once when all have, and neighbours do not follow each other. */
    @Test
    void toString_ofManyInARow_spreadsEvenly() {
        Map<String, Integer> directories = new HashMap<>();
        Map<String, Integer> upper = new HashMap<>();
        for (long number = 256; number < 256 + (1 << 24); number += 256) {
            String digits = new FileKey(number, 0).toString();
            directories.merge(digits.substring(0, 4), 1, Integer::sum);
            upper.merge(digits.substring(0, 2), 1, Integer::sum);
        }
        assertThat(directories).hasSize(1 << 16);
        assertThat(directories.values()).containsOnly(1);
        assertThat(upper.values()).hasSize(256).containsOnly(256);
        Map<String, Integer> first = new HashMap<>();
        for (long number = 256; number < 256 * 513; number += 256) {
            first.merge(new FileKey(number, 0).toString().substring(0, 2), 1, Integer::sum);
        }
        assertThat(first.values()).as("also at the beginning").hasSizeGreaterThan(240).allMatch(count -> count <= 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0000000000000000ffffffffffffffff", "ffffffffffffffff0000000000000000",
            "0000000000000001FFFFFFFFFFFFFFFF", "../../../../../../../../etc/passwd", "0000000000000001fffffffffffffff",
            "0000000000000001fffffffffffffff\n", "0000000000000001ffffffffffffffff\n",
            "000000000000000\u0661ffffffffffffffff"})
    void parse_whenItIsNoKey_isRefused(String text) {
        assertThat(FileKey.isValid(text)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> FileKey.parse(text));
    }

    @Test
    void new_whenTheNumberIsNone_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FileKey(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileKey(Long.MIN_VALUE, 1));
    }
}
