package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
}
