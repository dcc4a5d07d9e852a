package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A location says what its text says, and nothing that was a path is anything else now. */
class LocationTest {

    @ParameterizedTest
    @ValueSource(strings = {"/mnt/disk", "files", "../files", "/with space", "/mnt/s3:bucket", "a:b", "./s3:bucket",
            "S3:bucket", "C:\\files"})
    void parse_ofAPath_isADirectory(String path) {
        Location location = Location.parse(path);

        assertThat(location.directory()).contains(Path.of(path));
        assertThat(location.scheme()).isEqualTo("file");
        assertThat(location).hasToString(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:bucket", "s3:bucket/a/b", "s3://bucket/a", "azure-blob:x:y"})
    void parse_ofAScheme_isElsewhere(String text) {
        Location location = Location.parse(text);

        assertThat(location.directory()).isEmpty();
        assertThat(location).hasToString(text).isEqualTo(location.absolute());
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:", "s3:with blank", "s3:a\nb", "file:/mnt/disk", "/nul\0"})
    void parse_ofWhatIsNeither_isRefused(String text) {
        assertThatThrownBy(() -> Location.parse(text)).isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void toString_ofADirectoryThatLooksLikeAScheme_canBeRead() {
        Location location = Location.of(Path.of("s3:bucket"));

        assertThat(Location.parse(location.toString()).absolute()).isEqualTo(location.absolute());
    }

    @Test
    void overlaps_isByPartsOfThePath() {
        assertThat(Location.parse("/a/b").overlaps(Location.parse("/a"))).isTrue();
        assertThat(Location.parse("/a/bc").overlaps(Location.parse("/a/b"))).isFalse();
        assertThat(Location.parse("s3:a").overlaps(Location.parse("s3:a/b"))).isTrue();
        assertThat(Location.parse("s3:a").overlaps(Location.parse("s3:a"))).isTrue();
        assertThat(Location.parse("s3:a/bc").overlaps(Location.parse("s3:a/b"))).isFalse();
        assertThat(Location.parse("s3:a").overlaps(Location.parse("gs:a"))).isFalse();
        assertThat(Location.parse("s3:a").overlaps(Location.parse("/a"))).isFalse();
    }
}
