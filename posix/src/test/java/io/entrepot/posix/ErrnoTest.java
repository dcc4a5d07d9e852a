package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ErrnoTest {

    @Test
    void of_whenUnknown_keepsTheNumberInOneObject() {
        assertThat(Errno.of(3333).number()).isEqualTo(3333);
        assertThat(Errno.of(3333)).isSameAs(Errno.of(3333)).hasToString("errno 3333");
        assertThatIllegalArgumentException().isThrownBy(() -> Errno.of(-1));
    }

    @Test
    void of_whenKnown_isTheConstant() {
        assertThat(Errno.of(13)).isSameAs(Errno.EACCES);
        assertThat(Errno.of(0)).isSameAs(Errno.NONE);
        assertThat(Errno.known()).doesNotHaveDuplicates().allSatisfy(errno -> {
            assertThat(Errno.of(errno.number())).isSameAs(errno);
            assertThat(Errno.ofMeaning(errno.meaning())).contains(errno);
        });
    }

    @Test
    void message_ofAnException_isInPlainWords() {
        PosixException e = new PosixException("open", "/x/y", Errno.EACCES);
        assertThat(e).hasMessage("open /x/y: permission denied (EACCES)");
        assertThat(e.is(Errno.EACCES)).isTrue();
    }
}
