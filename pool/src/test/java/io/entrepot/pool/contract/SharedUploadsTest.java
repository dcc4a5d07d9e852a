package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadOffsetException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads that several processes add to, on one PostgreSQL. */
class SharedUploadsTest extends PoolContract {
    private Pool another;

    SharedUploadsTest() {
        super(PoolFixture.POSTGRES);
    }

    @BeforeEach
    void openAnother() throws Exception {
        another = Pool.open(config);
    }

    @AfterEach
    void closeAnother() {
        another.close();
    }

    private static InputStream stream(String piece) {
        return new ByteArrayInputStream(piece.getBytes(UTF_8));
    }

    @Test
    void append_inTurnsAtSeveralProcesses_isOneFile() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, upload, 0, stream("12"));
        another.uploads().append(ACME, upload, 2, stream("34"));
        pool.uploads().append(ACME, upload, 4, stream("5"));

        StoredFile stored = another.uploads().finish(ACME, upload);

        assertThat(pool.uploads().finish(ACME, upload)).isEqualTo(stored);
        assertThat(read(ACME, stored.key())).isEqualTo("12345");
    }

    @Test
    void append_whileAnotherProcessDoes_isRefused() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        InputStream meeting = new SequenceInputStream(stream("12"), new Acting(() -> {
            assertThatThrownBy(() -> another.uploads().append(ACME, upload, 0, stream("xx")))
                    .isInstanceOf(UploadOffsetException.class);
            return 0;
        }));

        assertThat(pool.uploads().append(ACME, upload, 0, meeting)).isEqualTo(2);
        assertThat(another.uploads().append(ACME, upload, 2, stream("3"))).isEqualTo(3);
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("123");
    }

    /** A process that sleeps in the middle of a piece and wakes when another one has gone on. */
    @Test
    void append_whenAProcessWasSilentForTooLong_anotherGoesOnAndTheFirstSpoilsNothing() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, upload, 0, stream("12"));
        AtomicReference<StoredFile> stored = new AtomicReference<>();
        InputStream asleep = new SequenceInputStream(stream("x".repeat(200_000)), new Acting(() -> {
            clocks.pass(Duration.ofMinutes(3));
            another.uploads().append(ACME, upload, 2, stream("34"));
            stored.set(another.uploads().finish(ACME, upload));
            return 200_000;
        }));

        assertThatThrownBy(() -> pool.uploads().append(ACME, upload, 2, asleep))
                .isInstanceOf(UploadOffsetException.class).hasNoSuppressedExceptions();
        assertThat(read(ACME, stored.get().key())).isEqualTo("1234");
        pool.files().verify(ACME, stored.get().key());
    }
}
