package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TransferTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Transfer transfer = new Transfer(nanos::get);

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void text_ofFilesUnderWay_saysHowMuchAndHowFast() {
        assertThat(transfer.text()).isEmpty();
        try (Transfer.Part large = transfer.begin(10 << 20); Transfer.Part other = transfer.begin(2 << 20)) {
            large.moved(2 << 20);
            other.moved(1 << 20);
            pass(3);
            assertThat(transfer.text()).isEqualTo("3.0 MiB of 12 MiB, 1.0 MiB/s");
        }
        assertThat(transfer.text()).isEmpty();
    }

    @Test
    void speed_isThatOfTheLastSeconds() {
        try (Transfer.Part part = transfer.begin(100 << 20)) {
            for (int i = 0; i < 10; i++) {
                part.moved(5 << 20);
                pass(1);
                transfer.text();
            }
            for (int i = 0; i < 10; i++) {
                pass(1);
                transfer.text();
            }
            assertThat(transfer.text()).isEqualTo("50 MiB of 100 MiB, 0 B/s");
        }
    }

    @Test
    void text_ofAFileThatIsSentAgain_isNotMoreThanThereIs() {
        try (Transfer.Part part = transfer.begin(1000)) {
            part.moved(900);
            part.moved(900);
            pass(1);
            assertThat(transfer.text()).startsWith("1000 B of 1000 B, ");
        }
    }
}
