package io.entrepot.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.store.Event;
import io.entrepot.store.Owner;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventCodecTest {
    private static final Owner OWNER = new Owner("acme");
    private static final byte[] ENTRY = EventCodec.encode(OWNER, "type", "subject", "body");

    @Test
    void unpack_whenCutOffAnywhere_isRefused() {
        byte[] packed = EventCodec.pack(List.of(ENTRY, ENTRY));
        assertThat(EventCodec.unpack(7, 2, 0, packed)).extracting(Event::seq).containsExactly(7L, 8L);
        for (int length = 0; length < packed.length; length++) {
            byte[] cut = Arrays.copyOf(packed, length);
            assertThatIllegalArgumentException().isThrownBy(() -> EventCodec.unpack(7, 2, 0, cut));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> EventCodec.unpack(7, 1, 0, packed));
        assertThatIllegalArgumentException().isThrownBy(() -> EventCodec.unpack(7, 0, 0, new byte[0]));
    }

    @Test
    void unpack_whenLengthIsAbsurd_isRefused() {
        for (byte first : new byte[]{(byte) 0x80, (byte) 0x7f}) {
            byte[] packed = ENTRY.clone();
            packed[0] = first;
            assertThatIllegalArgumentException().isThrownBy(() -> EventCodec.unpack(1, 1, 0, packed));
        }
    }

    @Test
    void rows_whenThereIsMuch_cutsInOrderWithAtLeastOneInEach() {
        byte[] large = EventCodec.encode(OWNER, "t", "s", "x".repeat(300 << 10));
        assertThat(EventCodec.rows(List.of())).isEmpty();
        assertThat(EventCodec.rows(List.of(ENTRY, ENTRY))).containsExactly(List.of(ENTRY, ENTRY));
        assertThat(EventCodec.rows(List.of(large, ENTRY, large, large))).containsExactly(List.of(large),
                List.of(ENTRY), List.of(large), List.of(large));
        List<byte[]> many = Collections.nCopies(100_000, ENTRY);
        assertThat(EventCodec.rows(many).stream().mapToInt(List::size).sum()).isEqualTo(100_000);
        assertThat(EventCodec.rows(many)).allSatisfy(row -> assertThat(EventCodec.pack(row).length)
                .isLessThanOrEqualTo(256 << 10));
    }
}
