package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {

    @Property
    void parse_whenWritten_givesTheSameFence(@ForAll @LongRange(min = 1) long epoch, @ForAll long nonce) {
        Fence fence = new Fence(new Epoch(epoch), nonce);
        assertThat(Fence.parse(fence.toString())).isEqualTo(fence);
    }

    @Test
    void toString_whenNonceIsShort_padsIt() {
        assertThat(new Fence(new Epoch(7), 0x3f9aL)).hasToString("7-0000000000003f9a");
        assertThat(new Fence(new Epoch(7), -1)).hasToString("7-ffffffffffffffff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "7-", "-3f9a51c07be2d846", "0-3f9a51c07be2d846", "07-3f9a51c07be2d846",
            "7-3f9a51c07be2d84", "7-3f9a51c07be2d8460", "7-3F9A51C07BE2D846", "7-3f9a51c07be2d84g",
            "-7-3f9a51c07be2d846", "+7-3f9a51c07be2d846", " 7-3f9a51c07be2d846", "7-3f9a51c07be2d846\n",
            "9223372036854775808-3f9a51c07be2d846", "٧-3f9a51c07be2d846"})
    void parse_whenGarbage_saysWhatAFenceLooksLike(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Fence.parse(text))
                .withMessage("Not a fence: '" + text + "'; one looks like 7-3f9a51c07be2d846");
    }

    @Test
    void create_whenNeverGranted_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Fence(Epoch.NONE, 1));
    }
}
