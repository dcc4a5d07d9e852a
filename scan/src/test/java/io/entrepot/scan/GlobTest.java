package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {

    @ParameterizedTest
    @CsvSource({"*.txt,a.txt,true", "*.txt,x/y/a.txt,true", "*.txt,a.txt.gz,false", "/*.txt,a.txt,true",
            "/*.txt,x/a.txt,false", "x/*.txt,x/a.txt,true", "x/*.txt,y/x/a.txt,false", "x/*,x/y/a,false",
            "x/**,x/y/a,true", "x/**,x,false", "**/a,a,true", "**/a,x/y/a,true", "**/a,xa,false", "x/**/a,x/a,true",
            "x/**/a,x/y/z/a,true", "x/**/a,x/yz,false", "x**z,x/y/z,false", "/x**z,x/y/z,true", "?,a,true",
            "?,ab,false", "?,ö,true",
            "[a-c]x,bx,true", "[a-c]x,dx,false", "[!a-c]x,dx,true", "[^a-c]x,ax,false", "[]a],],true", "[a-],-,true",
            "[ä-ü],ö,true", "a\\*b,a*b,true", "a\\*b,axb,false", "a?b,a/b,false", "a[!x]b,a/b,false", "**,a/b,true",
            "a/b,a/b,true", "b,a/b,true", "***/a,x/a,true"})
    void matches_whenPatternFits(String pattern, String path, boolean expected) {
        assertThat(matches(pattern, path.getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
    }

    @Test
    void matches_whenTheNameIsNotText_takesEachByteForACharacter() {
        byte[] name = {'a', (byte) 0xff, (byte) 0xc3, 'b'};
        assertThat(matches("a??b", name)).isTrue();
        assertThat(matches("a?b", name)).isFalse();
        assertThat(matches("a*b", name)).isTrue();
        assertThat(matches("a[!x][!y]b", name)).isTrue();
        assertThat(matches("a[\u0001-\uffff]?b", name)).isFalse();
        assertThat(matches("?", new byte[]{'\n'})).isTrue();
        assertThat(matches("?", new byte[]{(byte) 0xed, (byte) 0xa0, (byte) 0x80})).as("half a surrogate").isFalse();
    }

    @Test
    void matches_whenThereAreManyStars_isQuick() {
        assertThat(matches("**a*".repeat(20) + "z", "a".repeat(3000).getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\\", "[", "[a", "[!", "[a-", "x[]"})
    void of_whenItIsNoPattern_saysSo(String pattern) {
        assertThatThrownBy(() -> Glob.of(pattern)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void matches_likeJavasOwnMatcher() {
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            String path = word(random, "ab/", 6).replaceAll("/+", "/").replaceAll("^/|/$", "");
            String pattern = "/" + word(random, "ab/*?", 6).replaceAll("/+", "/").replaceAll("^/|/$", "");
            if (path.isEmpty() || pattern.length() == 1 || pattern.contains("**")) {
                continue;
            }
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern.substring(1));
            assertThat(matches(pattern, path.getBytes(StandardCharsets.UTF_8))).as("%s on %s", pattern, path)
                    .isEqualTo(matcher.matches(Path.of(path)));
        }
    }

    private static String word(Random random, String letters, int most) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    private static boolean matches(String pattern, byte[] path) {
        return Glob.of(pattern).matches(path, path.length);
    }
}
