package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.StoreConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that fail and come back. */
class BrokenVolumeTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    private final AtomicBoolean syncsFail = new AtomicBoolean();
    private final AtomicReference<Errno> failure = new AtomicReference<>(Errno.EIO);
    private final AtomicInteger syncs = new AtomicInteger();
    private PoolConfig config;
    private Path volume;

    @BeforeEach
    void configure(@TempDir Path temporary) {
        Path data = temporary.resolve("data");
        volume = data.resolve("files");
        PoolConfig.Platform platform = PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))
                .withCalls(new HookedCalls((call, directory) -> {
                    if (call.equals("syncFileSystem")) {
                        syncs.incrementAndGet();
                        if (syncsFail.get()) {
                            throw new PosixException(call, directory.toString(), failure.get());
                        }
                    }
                    return true;
                }));
        config = PoolConfig.in(data).withSyncEvery(Duration.ofMillis(5)).withProbeEvery(Duration.ofHours(1))
                .withPlatform(platform);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EIO", "ENOSPC"})
    void sync_whenItHasFailed_isBelievedAgainOnlyAfterAllWasWrittenAnew(String why) throws Exception {
        failure.set(why.equals("EIO") ? Errno.EIO : Errno.ENOSPC);
        try (Pool pool = Pool.open(config)) {
            syncsFail.set(true);
            FileKey key = write(pool, "precious");
            Object before = identity(pool, key);
            Awaitility.await().until(() -> pool.volumes().get("main").health() == VolumeHealth.FAILED);
            syncsFail.set(false);
            pool.volumes().probe();
            write(pool, "next"); // wakes the keeper
            Awaitility.await().until(() -> !identity(pool, key).equals(before));
            assertThat(read(pool, key)).isEqualTo("precious");
            int soFar = syncs.get();
            write(pool, "and so on");
            Awaitility.await().until(() -> syncs.get() > soFar);
            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
        }
    }

    /** The sync that failed may have lost it, and those of the volume that was opened anew would not tell. */
    @Test
    void write_whenASyncFailsAndTheVolumeIsBackBeforeTheFileIsKnown_placesItAgain() throws Exception {
        AtomicReference<Runnable> whenPlaced = new AtomicReference<>(() -> {});
        AtomicReference<Runnable> whenWritten = new AtomicReference<>(() -> {});
        PoolConfig byHand = config.withSyncEvery(Duration.ofHours(1)).withPlatform(config.platform()
                .withFaults(point -> {
                    switch (point) {
                        case PLACED -> whenPlaced.getAndSet(() -> {}).run();
                        case WRITTEN -> whenWritten.getAndSet(() -> {}).run();
                        default -> {
                        }
                    }
                }));
        List<Path> doubtful = new ArrayList<>();
        try (Pool pool = Pool.open(byHand)) {
            FileKey earlier = write(pool, "earlier"); // so that the next sync has something to do
            whenPlaced.set(() -> {
                doubtful.addAll(blobs());
                syncsFail.set(true);
                assertThatThrownBy(() -> pool.volumes().sync()).isInstanceOf(StorageVolumeUnavailableException.class);
                syncsFail.set(false);
                probe(pool);
                sync(pool);
            });
            whenWritten.set(() -> sync(pool)); // as the keeper may, for somebody else's sake

            FileKey key = write(pool, "precious");

            assertThat(pool.backlog().redo()).isZero();
            assertThat(doubtful).hasSize(2).doesNotContain(path(pool, key));
            assertThat(blobs()).containsExactlyInAnyOrder(path(pool, earlier), path(pool, key));
            assertThat(read(pool, key)).isEqualTo("precious");
            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        }
    }

    private static void sync(Pool pool) {
        try {
            pool.volumes().sync();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void probe(Pool pool) {
        try {
            pool.volumes().probe();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Path> blobs() {
        try (Stream<Path> all = Files.walk(volume.resolve(TENANT.name()))) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path path(Pool pool, FileKey key) {
        return pool.files().get(TENANT, key).path().orElseThrow();
    }

    /** Or one that takes long would fail the volume again that was opened anew for it, and whatever else was begun there. */
    @Test
    void write_whenTheVolumeWasOpenedAnewMeanwhile_isRefusedAndLeavesTheVolumeWell() throws Exception {
        try (Pool pool = Pool.open(config.withSyncEvery(Duration.ofHours(1)))) {
            write(pool, "so that there is something to sync");
            InputStream reopening = new Acting(() -> {
                syncsFail.set(true);
                assertThatThrownBy(() -> pool.volumes().sync()).isInstanceOf(StorageVolumeUnavailableException.class);
                syncsFail.set(false);
                pool.volumes().probe();
                assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
                return 0;
            });
            InputStream large = new SequenceInputStream(new ByteArrayInputStream(new byte[1 << 20]), reopening);

            try {
                pool.files().write(TENANT, NewFile.unnamed(), large);
            } catch (StorageVolumeUnavailableException e) {
                // What was begun before may have come to nothing.
            }

            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
            assertThat(read(pool, write(pool, "next"))).isEqualTo("next");
        }
    }

    @Test
    void open_afterOneWhoseSyncHadFailedIsGone_writesAnew() throws Exception {
        FileKey key;
        Object before;
        try (Pool pool = Pool.open(config)) {
            syncsFail.set(true);
            key = write(pool, "precious");
            before = identity(pool, key);
            Awaitility.await().until(() -> pool.volumes().get("main").health() == VolumeHealth.FAILED);
        }
        syncsFail.set(false);
        try (Pool pool = Pool.open(config)) {
            // The system has told of the failure once and forgotten it: what reads well may not be on the disk.
            assertThat(identity(pool, key)).isNotEqualTo(before);
            assertThat(read(pool, key)).isEqualTo("precious");
        }
    }

    @Test
    void probe_whenTheVolumeIsBackAsAnotherDirectory_opensItAnew() throws Exception {
        try (Pool pool = Pool.open(config)) {
            FileKey key = write(pool, "precious");
            Path away = volume.resolveSibling("away");
            Files.move(volume, away);
            Files.createDirectory(volume);
            pool.volumes().probe();
            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.FAILED);
            Files.delete(volume);
            copy(away, volume);
            pool.volumes().probe();
            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
            assertThat(read(pool, key)).isEqualTo("precious");
            FileKey next = write(pool, "next");
            assertThat(pool.files().get(TENANT, next).path().orElseThrow()).exists();
            Awaitility.await().until(() -> Files.exists(pool.files().get(TENANT, key).path().orElseThrow()));
        }
    }

    @Test
    void open_whenTheFirstOpeningWasCutShort_goesOn(@TempDir Path temporary) throws Exception {
        for (int commit = 1; commit <= 8; commit++) {
            PoolConfig plain = PoolConfig.in(temporary.resolve("cut-" + commit));
            AtomicInteger left = new AtomicInteger(commit);
            PoolConfig cut = plain.withPlatform(plain.platform().withStore(plain.platform().store()
                    .withFaults(point -> {
                        if (point == io.entrepot.store.Faults.Point.COMMIT && left.decrementAndGet() == 0) {
                            throw new IllegalStateException("cut short");
                        }
                    })));
            try {
                Pool.open(cut).close();
            } catch (PoolException | IllegalStateException e) {
                // as it was to be
            }
            try (Pool pool = Pool.open(plain)) {
                assertThat(read(pool, write(pool, "there"))).as("cut short at commit %s", commit).isEqualTo("there");
            }
        }
    }

    private static FileKey write(Pool pool, String content) throws Exception {
        return pool.files().write(TENANT, NewFile.unnamed(), content.getBytes(UTF_8)).key();
    }

    private static String read(Pool pool, FileKey key) throws Exception {
        try (FileContent content = pool.files().open(TENANT, key)) {
            return new String(content.stream().readAllBytes(), UTF_8);
        }
    }

    /** Another one for each time it is written. */
    private static Object identity(Pool pool, FileKey key) throws IOException {
        return Files.getAttribute(path(pool, key), "unix:ctime"); // readers find it at any time
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
