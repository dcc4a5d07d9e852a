package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that sleeps between placing a file and making it known, while another one clears away what nobody knows. */
class SharedWritesTest extends PoolContract {
    private static final Duration LEAST = Duration.ofMinutes(10);

    private final AtomicBoolean asleep = new AtomicBoolean(true);
    private final CountDownLatch placed = new CountDownLatch(1);
    private final CountDownLatch awake = new CountDownLatch(1);
    private Pool sleeper;

    SharedWritesTest() {
        super(PoolFixture.POSTGRES);
    }

    @BeforeEach
    void openSleeper() throws Exception {
        sleeper = Pool.open(config.withPlatform(config.platform().withFaults(point -> {
            if (point == PoolFaults.Point.PLACED && asleep.get()) {
                placed.countDown();
                try {
                    awake.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        })));
    }

    @AfterEach
    void closeSleeper() {
        awake.countDown();
        sleeper.close();
    }

    private Crowd<FileKey> write() throws Exception {
        Crowd<FileKey> writer = Crowd.start(1, _ -> sleeper.files().write(ACME, NewFile.unnamed(), "x".getBytes(UTF_8))
                .key());
        placed.await();
        return writer;
    }

    private long clear(OrphanAction action) throws Exception {
        var counts = pool.cleanup().orphans(action, Duration.ZERO, false).await().counts();
        return counts.orphanedFilesRemoved() + counts.orphanedFilesImported();
    }

    private void assertNothingStored(Crowd<FileKey> writer) {
        assertThatThrownBy(writer::results).hasStackTraceContaining(PoolUnavailableException.class.getName())
                .hasStackTraceContaining("was not made known in time");
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).isEmpty();
        assertThat(pool.tenants().usage(ACME).files()).isZero();
    }

    @Test
    void write_whenItsBytesWereTakenForAnOrphanMeanwhile_isRefused() throws Exception {
        Crowd<FileKey> writer = write();
        assertThat(clear(OrphanAction.DELETE)).isZero();
        clocks.pass(LEAST);
        assertThat(clear(OrphanAction.DELETE)).isEqualTo(1);
        eventually(() -> onDisk(ACME).isEmpty());

        awake.countDown();

        assertNothingStored(writer);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void write_whenItIsTooLateAndNobodyHasTakenItsBytes_isRefusedAndTheyGo() throws Exception {
        Crowd<FileKey> writer = write();
        clocks.pass(LEAST.dividedBy(2).plusSeconds(2)); // a clock that was just opened may be a second ahead

        awake.countDown();

        assertNothingStored(writer);
        eventually(() -> onDisk(ACME).isEmpty());
    }

    @Test
    void write_whenItsBytesWereMadeAFileMeanwhile_isRefusedAndThatFileStays() throws Exception {
        Crowd<FileKey> writer = write();
        assertThat(clear(OrphanAction.IMPORT)).isZero();
        clocks.pass(LEAST);
        assertThat(clear(OrphanAction.IMPORT)).isEqualTo(1);

        awake.countDown();

        assertThatThrownBy(writer::results).hasStackTraceContaining("was not made known in time");
        FileKey held = pool.files().list(FileQuery.of(ACME)).files().getFirst().key();
        assertThat(read(ACME, held)).isEqualTo("x");
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void write_whenItIsInTime_isStored() throws Exception {
        Crowd<FileKey> writer = write();
        clocks.pass(LEAST.dividedBy(2));

        awake.countDown();

        assertThat(read(ACME, writer.results().getFirst())).isEqualTo("x");
    }

    /** Its bytes are named by its row, so it has all its time. */
    @Test
    void finish_ofAnUploadThatWasPlacedLongAgo_isStored() throws Exception {
        UploadId upload = sleeper.uploads().begin(ACME, NewFile.unnamed());
        sleeper.uploads().append(ACME, upload, 0, "x".getBytes(UTF_8));
        Crowd<FileKey> finisher = Crowd.start(1, _ -> sleeper.uploads().finish(ACME, upload).key());
        placed.await();
        assertThat(clear(OrphanAction.DELETE)).isZero();
        clocks.pass(LEAST);
        assertThat(clear(OrphanAction.DELETE)).isZero();
        clocks.pass(LEAST);
        assertThat(clear(OrphanAction.DELETE)).isZero();

        awake.countDown();

        assertThat(read(ACME, finisher.results().getFirst())).isEqualTo("x");
    }

    @Test
    void write_toAVolumeThatAnotherProcessHasDrainedMeanwhile_isRefusedAndThenGoesElsewhere() throws Exception {
        Crowd<FileKey> writer = write();
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        RunReport drained = DrainContract.ended(pool.volumes().drain("main"));
        assertThat(drained.state()).isEqualTo(JobState.DONE);
        asleep.set(false);

        awake.countDown();

        assertThatThrownBy(writer::results).hasStackTraceContaining(StorageVolumeUnavailableException.class.getName());
        assertThat(pool.volumes().get("main").files()).isZero();
        eventually(() -> onDisk(ACME).isEmpty());
        clocks.pass(Duration.ofSeconds(2));
        sleeper.volumes().probe();
        FileKey key = sleeper.files().write(ACME, NewFile.unnamed(), "y".getBytes(UTF_8)).key();
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("second");
        pool.volumes().activate("main");
        pool.volumes().setReadOnly("second");
        clocks.pass(Duration.ofSeconds(2));
        FileKey again = sleeper.files().write(ACME, NewFile.unnamed(), "z".getBytes(UTF_8)).key();
        assertThat(pool.files().get(ACME, again).volume()).isEqualTo("main");
    }
}
