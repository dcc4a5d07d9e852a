package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes of a pool that several processes have open, on one PostgreSQL. */
class SharedVolumesTest extends PoolContract {
    private Pool another;

    SharedVolumesTest() {
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

    private static FileKey write(Pool where, String content) throws Exception {
        return where.files().write(ACME, NewFile.unnamed(), content.getBytes(UTF_8)).key();
    }

    private void mountSecond() throws Exception {
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.volumes().setReadOnly("main");
    }

    @Test
    void write_whenAnotherProcessHasUnmountedTheVolume_isRefusedAndThenGoesElsewhere() throws Exception {
        mountSecond();
        another.volumes().probe();
        pool.volumes().activate("main");
        pool.volumes().unmount("second");

        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> write(another, "x"));
        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable",
                () -> another.uploads().begin(ACME, NewFile.unnamed()));
        clocks.pass(Duration.ofSeconds(2));
        FileKey key = write(another, "y");

        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("main");
        assertThat(another.volumes().list()).extracting(VolumeInfo::name).containsExactly("main");
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(1);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void unmount_whenAnotherProcessHasWrittenThere_isRefused() throws Exception {
        mountSecond();
        another.volumes().probe();
        another.uploads().begin(ACME, NewFile.unnamed());

        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("second"));
        write(another, "x");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("second"));
    }

    @Test
    void setReadOnly_isHeardOfByOthersWithinASecond() throws Exception {
        write(another, "x");
        pool.volumes().setReadOnly("main");
        clocks.pass(Duration.ofSeconds(2));

        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> write(another, "y"));
    }

    @Test
    void setHeadroom_isHeardOfByOthersWithinASecond() throws Exception {
        write(another, "x");
        pool.volumes().setHeadroom("main", 2 * pool.volumes().get("main").free());
        clocks.pass(Duration.ofSeconds(2));

        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage", () -> write(another, "y"));
    }

    @Test
    void open_ofAFileOnAVolumeThatAnotherProcessHasMounted_isRead() throws Exception {
        mountSecond();
        FileKey key = write(pool, "x");

        try (FileContent content = another.files().open(ACME, key)) {
            assertThat(new String(content.stream().readAllBytes(), UTF_8)).isEqualTo("x");
        }
    }

    /** Otherwise the bytes would be kept in the database until that process comes back. */
    @Test
    void write_toAVolumeWhoseProcessIsGone_isMadeDurableThere() throws Exception {
        mountSecond();
        another.volumes().probe();
        pool.close();
        clocks.pass(Duration.ofSeconds(2));

        FileKey key = write(another, "x");

        assertThat(another.files().get(ACME, key).volume()).isEqualTo("second");
        eventually(() -> another.backlog().redo() == 0);
        another.work().complete(another.work().claim(ACME, "worker").orElseThrow().lease());
        eventually(() -> another.backlog().doomed() == 0);
    }

    @Test
    void drain_whenItsProcessIsGone_isGoneOnWithByAnother() throws Exception {
        FileKey key = write(pool, "x");
        assertThat(pool.work().claim(ACME, "worker")).isPresent();
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.volumes().drain("main");
        pool.close();
        another.work().reset(ACME, key);
        clocks.pass(Duration.ofSeconds(30));

        eventually(() -> {
            another.tick(); // tries the volumes now and then
            clocks.pass(Duration.ofSeconds(10));
            return another.jobs().list().stream().anyMatch(job -> job.name().equals(new JobName("drain-main"))
                    && job.state() == JobState.DONE);
        });
        assertThat(another.files().get(ACME, key).volume()).isEqualTo("second");
    }

    /** Another process may just be clearing away what a file had there before, and would take the new copy for that. */
    @Test
    void drain_whenFilesWereThereLately_waitsWithThem() throws Exception {
        FileKey key = write(pool, "x");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        DrainContract.ended(pool.volumes().drain("main"));
        pool.volumes().activate("main");

        JobHandle drain = pool.volumes().drain("second");

        eventually(() -> drain.report().progress().text().startsWith("waits"));
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("second");
        clocks.pass(Duration.ofMinutes(11));
        DrainContract.ended(drain); // it had the broom, which it lost by that
        assertThat(DrainContract.ended(pool.volumes().drain("second")).state()).isEqualTo(JobState.DONE);
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("main");
        assertThat(read(ACME, key)).isEqualTo("x");
    }

    /** It is the same directory, from which another process may be about to remove what was there before. */
    @Test
    void drain_whenFilesWereThereLatelyUnderAnotherName_waitsWithThem() throws Exception {
        FileKey key = write(pool, "x");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        DrainContract.ended(pool.volumes().drain("main"));
        pool.volumes().unmount("main");
        pool.volumes().mount(VolumeSpec.of("back", directory.resolve("files")));

        JobHandle drain = pool.volumes().drain("second");

        eventually(() -> drain.report().progress().text().startsWith("waits"));
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("second");
        clocks.pass(Duration.ofMinutes(11));
        DrainContract.ended(drain); // it had the broom, which it lost by that
        assertThat(DrainContract.ended(pool.volumes().drain("second")).state()).isEqualTo(JobState.DONE);
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("back");
        assertThat(read(ACME, key)).isEqualTo("x");
    }

    @Test
    void open_whenSeveralProcessesAreTheFirst_allAreThere() throws Exception {
        PoolConfig fresh = PoolConfig.in(directory.resolveSibling("fresh"))
                .withDatabase(PoolFixture.POSTGRES.database(clocks)).withTenants(List.of(ACME, OTHER))
                .withVolume(VolumeSpec.of("one", directory.resolveSibling("one")))
                .withVolume(VolumeSpec.of("two", directory.resolveSibling("two")))
                .withPlatform(config.platform()).withQueue(config.queue());

        Crowd<Pool> crowd = Crowd.start(3, _ -> Pool.open(fresh));

        for (Pool opened : crowd.results()) {
            try (opened) {
                assertThat(opened.volumes().list()).extracting(VolumeInfo::name).containsExactlyInAnyOrder("one",
                        "two");
                FileKey key = write(opened, "x");
                opened.files().verify(ACME, key);
            }
        }
    }

    /** Each of them believes for a second what it knew of the volumes. */
    @Test
    void write_whenSeveralProcessesFindNoRoomAtOnce_theyAddOneSpare() throws Exception {
        mountSecond();
        pool.volumes().mount(VolumeSpec.of("spare", directory.resolve("spare")).asSpare());
        pool.volumes().mount(VolumeSpec.of("third", directory.resolve("third")).asSpare());
        pool.volumes().setReadOnly("second");
        another.volumes().probe();

        List<FileKey> keys = Crowd.run(32, caller -> write(caller % 2 == 0 ? pool : another, "file " + caller));

        assertThat(keys).extracting(key -> pool.files().get(ACME, key).volume()).containsOnly("spare");
        assertThat(Collections.frequency(events(), "volume.spare-added")).isEqualTo(1);
        assertThat(pool.volumes().get("third").state()).isEqualTo(VolumeState.SPARE);
    }
}
