package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes that hang, or are full although they seem not to be: the others go on. */
class HangingVolumeTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final byte[] LARGE = new byte[200_000];

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private PoolConfig config(HookedCalls calls, Duration patience) {
        return PoolConfig.in(data.resolve("pool")).withVolume(VolumeSpec.of("main", data.resolve("main")))
                .withVolume(VolumeSpec.of("slow-1", data.resolve("slow-1")).withHeadroom(0))
                .withVolume(VolumeSpec.of("slow-2", data.resolve("slow-2")).withHeadroom(0))
                .withProbeEvery(Duration.ofHours(1)).withPatience(patience).withPlatform(PoolConfig.Platform.system()
                        .withStore(StoreConfig.of().withSync(false)).withCalls(calls));
    }

    private static boolean isSlow(Object directory) {
        return directory.toString().contains("/slow-");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void probe_whenVolumesHang_triesTheOthersAndHoldsUpNobody() throws Exception {
        AtomicBoolean hang = new AtomicBoolean();
        Set<String> hanging = ConcurrentHashMap.newKeySet();
        CountDownLatch over = new CountDownLatch(1);
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (hang.get() && call.equals("create") && isSlow(directory)
                    && directory.toString().endsWith("/incoming")) {
                hanging.add(directory.toString());
                await(over);
            }
            return true;
        });
        try (Pool pool = Pool.open(config(calls, Duration.ofMinutes(5)))) {
            pool.volumes().setReadOnly("slow-1");
            pool.volumes().setReadOnly("slow-2");
            hang.set(true);
            Crowd<Integer> probe = Crowd.start(1, _ -> pool.volumes().probe().size());
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hanging.size() == 2);

            pool.volumes().setReadOnly("main");
            pool.volumes().activate("main");
            pool.volumes().mount(VolumeSpec.of("new", data.resolve("new")));
            pool.files().write(TENANT, NewFile.unnamed(), "x".getBytes(UTF_8));

            over.countDown();
            assertThat(probe.results()).containsExactly(4);
            assertThat(pool.volumes().list()).allMatch(volume -> volume.health() == VolumeHealth.HEALTHY);
        } finally {
            over.countDown();
        }
    }

    @Test
    void open_whenItsVolumeHangs_costsOneReaderHisPatience() throws Exception {
        AtomicBoolean hang = new AtomicBoolean();
        AtomicInteger hanging = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (hang.get() && call.equals("openFile") && isSlow(directory)) {
                hanging.incrementAndGet();
                await(over);
            }
            return true;
        });
        try (Pool pool = Pool.open(config(calls, Duration.ofSeconds(2)))) {
            pool.volumes().setReadOnly("main");
            FileKey key = pool.files().write(TENANT, NewFile.unnamed(), LARGE).key();
            String volume = pool.files().get(TENANT, key).volume();
            hang.set(true);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> pool.files().open(TENANT, key).close())
                        .isInstanceOf(StorageVolumeUnavailableException.class);
            }

            assertThat(hanging.get()).isEqualTo(1);
            assertThat(pool.volumes().get(volume).health()).isEqualTo(VolumeHealth.FAILED);
            hang.set(false);
            over.countDown();
            pool.volumes().probe();
            pool.files().verify(TENANT, key);
        } finally {
            over.countDown();
        }
    }

    @Test
    void write_whenAVolumeIsFullAlthoughSpaceSeemsFree_goesToAnother() throws Exception {
        AtomicReference<String> full = new AtomicReference<>("none");
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (call.startsWith("create") && directory.toString().contains(full.get())) {
                throw new PosixException(call, directory.toString(), Errno.EDQUOT);
            }
            return true;
        });
        try (Pool pool = Pool.open(config(calls, Duration.ofSeconds(60)))) {
            pool.volumes().setReadOnly("slow-2");
            full.set("/slow-1/");
            assertThatThrownBy(() -> pool.files().write(TENANT, NewFile.unnamed(), LARGE))
                    .isInstanceOf(InsufficientStorageException.class);

            assertThat(volumeOf(pool, LARGE)).isEqualTo("main");
            pool.volumes().probe();
            assertThat(volumeOf(pool, LARGE)).isEqualTo("main");
            assertThat(volumeOf(pool, new byte[1])).isEqualTo("main");
            assertThat(pool.volumes().get("slow-1").health()).isEqualTo(VolumeHealth.HEALTHY);
            full.set("none");
            pool.volumes().probe();
            assertThat(volumeOf(pool, LARGE)).isEqualTo("slow-1");
        }
    }

    private static String volumeOf(Pool pool, byte[] content) throws Exception {
        return pool.files().get(TENANT, pool.files().write(TENANT, NewFile.unnamed(), content).key()).volume();
    }
}
