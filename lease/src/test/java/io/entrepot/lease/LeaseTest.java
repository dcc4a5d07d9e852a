package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTest {
    private static final Fence FENCE = new Fence(new Epoch(1), 42);

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0005S", "PT1.0000001S", "PT8785H"})
    void create_whenTermCannotBeStored_isRefused(Duration term) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease("view/docs", "agent-1", FENCE, term, Protection.FENCED))
                .withMessageContaining("view/docs").withMessageContaining(term.toString());
    }

    @Test
    void create_whenNameOrHolderIsBlank_isRefused() {
        Duration term = Duration.ofSeconds(6);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease(" ", "agent-1", FENCE, term, Protection.FENCED));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease("view/docs", "", FENCE, term, Protection.FENCED));
    }

    @Test
    void nonces_whenSeeded_repeatAndWhenSecureDoNot() {
        assertThat(Nonces.seeded(1).next()).isEqualTo(Nonces.seeded(1).next());
        assertThat(Nonces.secure().next()).isNotEqualTo(Nonces.secure().next());
        assertThat(LongStream.generate(Nonces.secure()::next).limit(1_000).boxed()).doesNotHaveDuplicates();
    }
}
