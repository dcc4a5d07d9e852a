package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private final AtomicInteger asked = new AtomicInteger();

    private final List<Byte> checked = Collections.synchronizedList(new ArrayList<>());

    private void check(byte[] bytes, int length) {
        checked.add(bytes[0]);
    }

    private ReadAhead.Source upTo(int pieces) {
        return into -> {
            int number = asked.getAndIncrement();
            into[0] = (byte) number;
            return number < pieces ? 1 : -1;
        };
    }

    @Test
    void next_whenTheReaderIsSlow_hasReadNoMoreThanThereAreBuffers() throws IOException {
        try (ReadAhead ahead = new ReadAhead(upTo(100), Optional.of(this::check), 8)) {
            await().until(() -> asked.get() == 4);
            for (int i = 0; i < 100; i++) {
                ReadAhead.Piece piece = ahead.next();
                assertThat(piece.length()).isEqualTo(1);
                assertThat(piece.bytes()[0]).isEqualTo((byte) i);
                assertThat(checked).hasSizeGreaterThan(i);
                assertThat(checked.get(i)).isEqualTo((byte) i);
                assertThat(asked.get()).isLessThanOrEqualTo(i + 4);
            }
            assertThat(ahead.next().length()).isEqualTo(-1);
        }
    }

    @Test
    void next_whenThereIsNothingToCheck_hasAll() throws IOException {
        try (ReadAhead ahead = new ReadAhead(upTo(100), Optional.empty(), 8)) {
            for (int i = 0; i < 100; i++) {
                assertThat(ahead.next().bytes()[0]).isEqualTo((byte) i);
            }
            assertThat(ahead.next().length()).isEqualTo(-1);
        }
    }

    @Test
    void next_whenACheckFails_tellsSo() {
        try (ReadAhead ahead = new ReadAhead(upTo(100), Optional.of((_, _) -> {
            throw new IllegalStateException("no good");
        }), 8)) {
            assertThatThrownBy(ahead::next).isInstanceOf(IllegalStateException.class).hasMessage("no good");
        }
    }

    @Test
    void next_whenReadingFails_tellsSoAfterWhatCameBeforeAndAgain() throws IOException {
        ReadAhead.Source source = upTo(2);
        try (ReadAhead ahead = new ReadAhead(into -> {
            if (asked.get() == 2) {
                throw new IOException("no more");
            }
            return source.next(into);
        }, Optional.of(this::check), 8)) {
            ahead.next();
            ahead.next();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(ahead::next).isInstanceOf(IOException.class).hasMessage("no more");
            }
        }
    }

    @Test
    void close_whileItReads_endsItsThreads() {
        ReadAhead ahead = new ReadAhead(upTo(Integer.MAX_VALUE), Optional.of(this::check), 8);
        await().until(() -> asked.get() == 4);
        ahead.close();
        await().until(() -> !ahead.isRunning());
        assertThat(asked).hasValue(4);
    }
}
