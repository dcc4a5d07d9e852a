package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "acme", "acme-2", "a.b_c-d", "default"})
    void new_whenAllowed_isTheName(String name) {
        assertThat(new TenantId(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", ".entrepot", "../x", "a/b", "a\\b", "a\0", "a b", "-rf", "_x", "ä", "a\n",
            "lost+found", "acme:1", "*"})
    void new_whenNotAllowed_isRefused(String name) {
        assertThat(TenantId.isValid(name)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new TenantId(name));
    }

    @Test
    void new_whenTooLong_isRefused() {
        assertThat(TenantId.isValid("x".repeat(63))).isTrue();
        assertThat(TenantId.isValid("x".repeat(64))).isFalse();
    }

    @Test
    void new_whenOnlyTheCaseIsWrong_saysWhatWouldDo() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TenantId("Acme"))
                .withMessageContaining("did you mean \"acme\"?");
    }

    /** It is made while the class is. */
    @Test
    void default_whenUsedFirst_isThere() {
        assertThat(TenantId.DEFAULT).hasToString("default");
    }
}
