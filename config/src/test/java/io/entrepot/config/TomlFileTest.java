package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TomlFileTest {
    private static final String QUOTES = "; texts, durations and sizes are written in quotes, as in \"5s\"";

    @TempDir
    private Path directory;

    private String message(Path file) {
        return catchThrowableOfType(ConfigurationException.class, () -> TomlFile.read(file)).getMessage()
                .replace(directory.toString(), "D");
    }

    private Path write(byte... bytes) throws IOException {
        return Files.write(directory.resolve("f.toml"), bytes);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("f.toml"), text);
    }

    @Test
    void read_whenThereIsNoFile_saysWhereItLooked() {
        assertThat(message(directory.resolve("f.toml"))).isEqualTo("D/f.toml: there is no such file");
        Path relative = Path.of("no-such.toml");
        assertThat(message(relative)).isEqualTo(
                "no-such.toml: there is no such file; looked for " + relative.toAbsolutePath());
    }

    @Test
    void read_whenItIsADirectory_saysSo() {
        assertThat(message(directory)).isEqualTo("D: is a directory; name the file in it");
    }

    @Test
    void read_whenItIsNoText_saysWhere() throws IOException {
        assertThat(message(write((byte) 'a', (byte) '=', (byte) '1', (byte) '\n', (byte) '#', (byte) 0xFF)))
                .isEqualTo("D/f.toml:2: there are bytes that are not UTF-8; save it as UTF-8");
        assertThat(message(write((byte) '#', (byte) 0xC3)))
                .isEqualTo("D/f.toml:1: there are bytes that are not UTF-8; save it as UTF-8");
    }

    @Test
    void read_whenItIsHuge_doesNotReadItAll() throws IOException {
        assertThat(message(write("#".repeat((1 << 20) + 1))))
                .isEqualTo("D/f.toml: is larger than 1 MiB; is this the file that was meant?");
        assertThat(TomlFile.read(write("#".repeat(1 << 20))).nodes()).isEmpty();
    }

    @Test
    void read_whenThereIsAByteOrderMark_skipsIt() throws IOException {
        assertThat(TomlFile.read(write("\uFEFFa = 1")).nodes()).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @CsvSource({"a = 5s, 6", "a = hush, 5", "a = \"hush, 10", "a = \"b\"hush, 8"})
    void read_whenItIsNotToml_saysWhereButNotWhat(String text, int column) throws IOException {
        assertThat(message(write("#\n" + text))).startsWith("D/f.toml:2: not TOML at column " + column + ": expected ")
                .endsWith(QUOTES).doesNotContain("hush").doesNotContain("Unexpected");
    }

    @Test
    void read_whenAKeyIsThereTwice_saysWhereTheFirstIs() throws IOException {
        assertThat(message(write("a = 1\na = 2\n[b]\n[b]\n")))
                .isEqualTo("""
                           2 mistakes in the configuration:
                             D/f.toml:2: a previously defined at line 1, column 1
                             D/f.toml:4: b previously defined at line 3, column 1""");
    }
}
