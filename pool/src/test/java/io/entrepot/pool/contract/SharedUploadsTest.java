package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.Backlog;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.posix.BytePath;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** One that does something when a file is placed and not known yet, once. */
    private Pool interrupted(PoolConfig.Platform platform, Callable<?> act) throws Exception {
        AtomicBoolean acted = new AtomicBoolean();
        return Pool.open(config.withPlatform(platform.withFaults(point -> {
            if (point == PoolFaults.Point.PLACED && acted.compareAndSet(false, true)) {
                try {
                    act.call();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        })));
    }

    private UploadId sent(String content) throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, upload, 0, stream(content));
        return upload;
    }

    private void assertStored(StoredFile stored, String content) throws Exception {
        eventually(() -> pool.backlog().equals(new Backlog(0, 0, 0)));
        assertThat(read(ACME, stored.key())).isEqualTo(content);
        assertThat(onDisk(ACME)).hasSize(1);
    }

    @Test
    void finish_whenAProcessWasSilentForTooLong_anotherFinishesAndTheFirstTakesNothingAway() throws Exception {
        UploadId upload = sent("12345");
        AtomicReference<StoredFile> stored = new AtomicReference<>();
        try (Pool sleeper = interrupted(config.platform(), () -> {
            clocks.pass(Duration.ofMinutes(3));
            stored.set(another.uploads().finish(ACME, upload));
            return stored;
        })) {
            assertThatThrownBy(() -> sleeper.uploads().finish(ACME, upload)).isInstanceOf(UploadOffsetException.class);
            assertStored(stored.get(), "12345");
            assertThat(sleeper.uploads().finish(ACME, upload)).isEqualTo(stored.get());
        }
    }

    @Test
    void finish_whenAnotherHasTakenOverAndIsNotDone_leavesItTheBytes() throws Exception {
        UploadId upload = sent("12345");
        try (Pool sleeper = interrupted(config.platform(), () -> {
            clocks.pass(Duration.ofMinutes(3));
            assertThatThrownBy(() -> another.uploads().append(ACME, upload, 5, stream("6")))
                    .hasMessageContaining("it is being finished");
            return upload;
        })) {
            assertThatThrownBy(() -> sleeper.uploads().finish(ACME, upload)).isInstanceOf(UploadOffsetException.class);
            assertStored(another.uploads().finish(ACME, upload), "12345");
        }
    }

    @Test
    void finish_whenItIsCancelledMeanwhile_leavesNothing() throws Exception {
        UploadId upload = sent("12345");
        try (Pool sleeper = interrupted(config.platform(), () -> another.uploads().cancel(ACME, upload))) {
            assertThatThrownBy(() -> sleeper.uploads().finish(ACME, upload))
                    .isInstanceOf(UploadNotFoundException.class);
            eventually(() -> onDisk(ACME).isEmpty());
        }
    }

    /** Each step takes less than the time that one has, and all of them take more. */
    @Test
    void finish_whenItTakesLong_isNotTakenOver() throws Exception {
        UploadId upload = sent("12345");
        Duration step = Duration.ofSeconds(100);
        PoolConfig.Platform slow = config.platform().withCalls(new HookedCalls(new HookedCalls.Hook() {
            @Override
            public boolean before(String call, BytePath directory) {
                if (call.equals("openToWrite")) {
                    clocks.pass(step);
                }
                return true;
            }
        }));
        try (Pool busy = interrupted(slow, () -> {
            clocks.pass(step);
            assertThatThrownBy(() -> another.uploads().finish(ACME, upload)).isInstanceOf(UploadOffsetException.class);
            return upload;
        })) {
            assertStored(busy.uploads().finish(ACME, upload), "12345");
        }
    }
}
