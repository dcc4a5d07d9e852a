package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.PoolException;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.server.problem.Code;
import io.entrepot.store.Advice;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Exceptions that come back from their codes. */
class ToldExceptionsTest {

    @Test
    void told_byTheCodesOfAServer_areAllClassesOfTheLibrary() {
        List<? extends Class<?>> made = Arrays.stream(Code.values()).filter(code -> code.text().startsWith("pool."))
                .map(code -> PoolException.told(code.text(), Advice.UNKNOWN, "words", 7)).map(Object::getClass)
                .toList();
        assertThat(made.stream().distinct().collect(Collectors.toList()))
                .containsExactlyInAnyOrder(PoolException.class.getPermittedSubclasses());
    }

    @Test
    void told_keepsCodeAdviceAndWords() {
        for (Code code : Code.values()) {
            PoolException e = PoolException.told(code.text(), Advice.RETRY, "words", 0);
            assertThat(e.code()).isEqualTo(code.text());
            assertThat(e.advice()).isEqualTo(Advice.RETRY);
            assertThat(e).hasMessage("words");
            if (!code.text().startsWith("pool.")) {
                assertThat(e).isInstanceOf(RequestRefusedException.class);
            }
        }
        assertThat(PoolException.told("pool.unavailable.damaged", Advice.GIVE_UP, "words", 0).code())
                .isEqualTo("pool.unavailable.damaged");
        assertThat(
                ((UploadOffsetException) PoolException.told("pool.upload-offset", Advice.RETRY, "words", 7)).offset())
                .isEqualTo(7);
        assertThat(PoolException.told("pool.of-a-later-version", Advice.GIVE_UP, "words", 0))
                .isInstanceOf(RequestRefusedException.class);
    }
}
