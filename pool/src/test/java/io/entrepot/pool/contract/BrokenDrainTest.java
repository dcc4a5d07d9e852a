package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are moved to a volume that fails meanwhile. */
class BrokenDrainTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    /**
     * Of the copies in a batch some were written before the sync that failed, and may be lost. A volume that was opened anew
     * syncs well again, and that says nothing about them.
     */
    @Test
    void drain_whenTheTargetLosesASyncAndIsBackBeforeTheBatchIsDone_keepsTheOldCopies(@TempDir Path temporary)
            throws Exception {
        Path data = temporary.resolve("data");
        AtomicBoolean syncsFail = new AtomicBoolean();
        AtomicReference<Runnable> atTheLastFile = new AtomicReference<>(() -> {});
        AtomicReference<String> draining = new AtomicReference<>("none");
        AtomicInteger opened = new AtomicInteger();
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (call.equals("syncFileSystem") && syncsFail.get()) {
                throw new PosixException(call, directory.toString(), Errno.EIO);
            }
            if (call.equals("openFile") && directory.toString().equals(draining.get())
                    && opened.incrementAndGet() == 2) {
                atTheLastFile.get().run();
            }
            return true;
        });
        PoolConfig config = PoolConfig.in(data).withSyncEvery(Duration.ofMillis(5))
                .withProbeEvery(Duration.ofHours(1)).withPlatform(PoolConfig.Platform.system()
                        .withStore(StoreConfig.of().withSync(false)).withCalls(calls));
        try (Pool pool = Pool.open(config)) {
            FileKey first = write(pool, "first");
            FileKey last = write(pool, "last");
            Path directory = pool.files().get(TENANT, last).path().orElseThrow().getParent();
            assertThat(pool.files().get(TENANT, first).path().orElseThrow()).hasParent(directory);
            pool.volumes().mount(VolumeSpec.of("second", data.resolve("second")));
            atTheLastFile.set(() -> failAndComeBack(pool, syncsFail));
            draining.set(directory.toString());

            RunReport report = pool.volumes().drain("main").await(Duration.ofSeconds(60)).orElseThrow();

            assertThat(report.state()).isEqualTo(JobState.FAILED);
            assertThat(pool.files().get(TENANT, first).volume()).isEqualTo("main");
            assertThat(pool.volumes().get("second").health()).isEqualTo(VolumeHealth.HEALTHY);
            assertThat(pool.volumes().drain("main").await(Duration.ofSeconds(60)).orElseThrow().state())
                    .isEqualTo(JobState.DONE);
            pool.files().verify(TENANT, first);
            pool.files().verify(TENANT, last);
            assertThat(pool.volumes().get("main").files()).isZero();
            assertThat(pool.volumes().get("second").files()).isEqualTo(3);
        }
    }

    /** A write makes the other volume's keeper sync. */
    private static void failAndComeBack(Pool pool, AtomicBoolean syncsFail) {
        try {
            syncsFail.set(true);
            write(pool, "wakes the keeper");
            Awaitility.await().atMost(Duration.ofSeconds(30))
                    .until(() -> pool.volumes().get("second").health() == VolumeHealth.FAILED);
            syncsFail.set(false);
            pool.volumes().probe();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FileKey write(Pool pool, String content) throws InterruptedException {
        return pool.files().write(TENANT, NewFile.unnamed(), content.getBytes(UTF_8)).key();
    }
}
