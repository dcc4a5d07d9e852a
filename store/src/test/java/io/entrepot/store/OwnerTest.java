package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "_system", "acme-2.eu_west",
            "a23456789012345678901234567890123456789012345678901234567890123"})
    void owner_whenNameIsSafeAsAPath_isTaken(String name) {
        assertThat(new Owner(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../x", "-a", "a/b", "a\\b", "a b", "ä", "a\n", "a\u0000",
            "a234567890123456789012345678901234567890123456789012345678901234"})
    void owner_whenNameIsNotSafeAsAPath_isRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Owner(name))
                .withMessageContaining("not a valid owner");
    }

    @Test
    void owner_whenOnlyTheCaseIsWrong_saysWhatWasMeant() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Owner("Acme"))
                .withMessageContaining("did you mean \"acme\"?");
    }
}
