package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresConfigTest {

    @Test
    void toString_whateverThePassword_hasItNot() {
        assertThat(PostgresConfig.of("jdbc:postgresql://h/d", "me", "s3cret")).asString().contains("me", "h/d")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://h/d?password=x", "jdbc:postgresql://h/d?user=me&Password=x"})
    void of_whenThePasswordIsInTheUrl_isRefused(String url) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> PostgresConfig.of(url, "me", "x")).withMessageContaining("password");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "1a", "x;drop", "\"x\"", "UPPER"})
    void withSchema_whenItIsNoPlainName_isRefused(String schema) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> PostgresConfig.of("jdbc:postgresql://h/d", "me", "x").withSchema(schema));
    }

    @Test
    void of_whenTheUrlIsOfAnotherDatabase_isRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> PostgresConfig.of("jdbc:sqlite:x", "me", "x"));
    }

    /** The guide has a row for everything that can be set, with its default. */
    @Test
    void guide_namesEveryComponentAndItsDefault() throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "postgresql.md"));
        List<String> rows = guide.lines().filter(line -> line.startsWith("| `")).toList();
        for (RecordComponent component : PostgresConfig.class.getRecordComponents()) {
            assertThat(rows).as(component.getName()).anyMatch(row -> row.contains("`" + component.getName() + "`"));
        }
        PostgresConfig byDefault = PostgresConfig.of("jdbc:postgresql://h/d", "me", "x");
        assertThat(rows).anyMatch(row -> row.startsWith("| `schema` | `" + byDefault.schema() + "` |"));
        assertThat(rows).anyMatch(row -> row.startsWith("| `writers` | " + byDefault.writers() + " |"));
        assertThat(rows)
                .anyMatch(row -> row.startsWith("| `patience` | " + byDefault.patience().toSeconds() + " s |"));
    }
}
