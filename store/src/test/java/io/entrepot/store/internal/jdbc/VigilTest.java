package io.entrepot.store.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class VigilTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Vigil vigil = new Vigil(ticker, 2);
    private final AtomicInteger asked = new AtomicInteger();

    /** Time goes on by 100 us whenever somebody asks, and the answer comes when it has been asked for so often. */
    private BooleanSupplier afterQuestions(int many) {
        asked.set(0);
        return () -> {
            ticker.advance(Duration.ofNanos(100_000));
            return asked.incrementAndGet() >= many;
        };
    }

    private int questions(Vigil by, int untilAnswered) {
        by.enter();
        by.keep(afterQuestions(untilAnswered));
        by.leave();
        return asked.get();
    }

    @Test
    void keep_whenAlone_waitsForTheAnswer() {
        assertThat(questions(vigil, 4)).isEqualTo(4);
    }

    @Test
    void keep_whenSomebodyElseWaits_doesNotStayAwake() {
        vigil.enter();
        assertThat(questions(vigil, 4)).isZero();
        vigil.leave();
        assertThat(questions(vigil, 4)).isEqualTo(4);
    }

    @Test
    void keep_whenSomebodyElseComes_ends() {
        vigil.enter();
        BooleanSupplier never = afterQuestions(Integer.MAX_VALUE);
        vigil.keep(() -> {
            if (asked.get() == 2) {
                vigil.enter();
            }
            return never.getAsBoolean();
        });
        assertThat(asked).hasValue(3);
    }

    @Test
    void keep_whenTheAnswerIsSlow_givesUpAndTriesAgainMoreAndMoreSeldom() {
        assertThat(questions(vigil, 1000)).isLessThan(10).isPositive();
        int asleep = 0;
        int[] between = new int[6];
        for (int vain = 0; vain < between.length;) {
            if (questions(vigil, 1000) == 0) {
                asleep++;
            } else {
                between[vain++] = asleep;
                asleep = 0;
            }
        }
        assertThat(between).containsExactly(1, 3, 7, 15, 31, 63);
        for (int i = 0; i < 127; i++) {
            assertThat(questions(vigil, 1)).isZero();
        }
        assertThat(questions(vigil, 1)).isEqualTo(1);
        assertThat(questions(vigil, 1)).as("after one that was quick").isEqualTo(1);
    }

    @Test
    void keep_whenThereIsOneProcessorOrTheThreadIsVirtual_doesNotStayAwake() throws InterruptedException {
        assertThat(questions(new Vigil(ticker, 1), 4)).isZero();
        Thread.ofVirtual().start(() -> questions(vigil, 4)).join();
        assertThat(asked).hasValue(0);
    }
}
