package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files are placed while they are being made known, and are known only when they have been placed. */
class PlacingMeanwhileTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final TenantId OTHER = new TenantId("other");

    private final AtomicReference<Placing> placing = new AtomicReference<>(_ -> {});

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    /** What happens when a small file is about to be written below that directory. */
    private interface Placing {
        void below(String directory) throws PosixException;
    }

    private PoolConfig config() {
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (call.equals("createInPlace")) {
                placing.get().below(directory.toString());
            }
            return true;
        });
        return PoolConfig.in(data.resolve("pool")).withTenants(List.of(TENANT, OTHER))
                .withVolume(VolumeSpec.of("one", data.resolve("one")).withHeadroom(0))
                .withVolume(VolumeSpec.of("two", data.resolve("two")).withHeadroom(0))
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))
                        .withCalls(calls));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static StoredFile write(Pool pool, TenantId tenant, String content) throws Exception {
        return pool.files().write(tenant, NewFile.unnamed(), content.getBytes(UTF_8));
    }

    private static String read(Pool pool, StoredFile file) throws Exception {
        try (FileContent content = pool.files().open(file.tenant(), file.key())) {
            return new String(content.stream().readAllBytes(), UTF_8);
        }
    }

    private List<Path> blobs() throws IOException {
        try (Stream<Path> one = Files.walk(data.resolve("one")); Stream<Path> two = Files.walk(data.resolve("two"))) {
            return Stream.concat(one, two).filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("/incoming/") || !path.toString().contains("/.entrepot/"))
                    .toList();
        }
    }

    @Test
    void write_whenPlacingTakesLong_isKnownOnlyAfterThatAndHoldsUpNobody() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Pool pool = Pool.open(config())) {
            pool.volumes().setReadOnly("two");
            placing.set(_ -> await(over));
            Crowd<StoredFile> writers = Crowd.start(12, number -> write(pool, TENANT, "late " + number));
            // Nobody needs the volume for that, and everybody the database.
            for (int i = 0; i < 20; i++) {
                pool.tenants().setLimits(OTHER, TenantLimits.NONE.withFiles(100 + i));
                assertThat(pool.tenants().usage(TENANT).files()).isZero();
                assertThat(pool.work().claim(TENANT, "worker")).isEmpty();
            }
            assertThat(writers.done()).isZero();
            over.countDown();
            for (StoredFile file : writers.results()) {
                assertThat(read(pool, file)).startsWith("late ");
            }
            assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(12);
            pool.volumes().sync();
            assertThat(blobs()).hasSize(12);
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        } finally {
            over.countDown();
        }
    }

    /** Only the first ones find out: those who come later wait for it themselves, and the database for none of them. */
    @Test
    void write_whenTheVolumeIsKnownToBeSlow_isPlacedBeforeItIsKnown() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<String> events = new CopyOnWriteArrayList<>();
        try (Pool pool = Pool.open(config());
                Listening _ = pool.listen(EventFilter.all(),
                        event -> events.add(event.type() + " " + event.subject()))) {
            pool.volumes().setReadOnly("two");
            placing.set(_ -> await(over));
            Crowd<StoredFile> first = Crowd.start(1, _ -> write(pool, TENANT, "found out"));
            Awaitility.await().until(() -> pool.backlog().doomed() == 1);
            Crowd<StoredFile> others = Crowd.start(5, number -> write(pool, TENANT, "waits " + number)).awaitWaiting();
            // Far longer than anybody waits who commits.
            Awaitility.await().during(Duration.ofMillis(200)).until(() -> pool.backlog().doomed() == 1);
            over.countDown();
            assertThat(first.results()).hasSize(1);
            assertThat(others.results()).hasSize(5);
            Awaitility.await()
                    .until(() -> events.stream().filter(event -> event.startsWith("file.written")).count() == 7);
            assertThat(events).filteredOn(event -> event.startsWith("file.deleted")).hasSize(1);
        } finally {
            over.countDown();
        }
    }

    @Test
    void write_whenItsBytesCameTooLate_isTakenBackAndWrittenAnew() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<String> events = new CopyOnWriteArrayList<>();
        try (Pool pool = Pool.open(config());
                Listening _ = pool.listen(EventFilter.all(),
                        event -> events.add(event.type() + " " + event.subject()))) {
            pool.volumes().setReadOnly("two");
            placing.set(_ -> await(over));
            Crowd<StoredFile> writer = Crowd.start(1, _ -> write(pool, TENANT, "late"));
            // It was known when its transaction was over, and is not any more.
            Awaitility.await().until(() -> events.stream().anyMatch(event -> event.startsWith("file.deleted")));
            assertThat(pool.tenants().usage(TENANT).files()).isZero();
            assertThat(pool.work().claim(TENANT, "worker")).isEmpty();
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
            over.countDown();
            StoredFile file = writer.results().getFirst();

            assertThat(read(pool, file)).isEqualTo("late");
            Awaitility.await().until(() -> events.contains("file.written " + file.key()));
            assertThat(events).noneMatch(event -> event.equals("file.deleted " + file.key()));
            pool.volumes().sync();
            assertThat(blobs()).hasSize(1);
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        } finally {
            over.countDown();
        }
    }

    @Test
    void write_withAKey_isPlacedBeforeAnybodyIsToldOfIt() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Pool pool = Pool.open(config())) {
            pool.volumes().setReadOnly("two");
            placing.set(_ -> await(over));
            Crowd<StoredFile> writers = Crowd.<StoredFile>start(4, _ -> pool.files().write(TENANT,
                    NewFile.unnamed().withIdempotencyKey("once"), "x".getBytes(UTF_8))).awaitWaiting();
            assertThat(pool.tenants().usage(TENANT).files()).isZero();
            over.countDown();
            List<StoredFile> files = writers.results();
            assertThat(files.stream().map(StoredFile::key).distinct()).hasSize(1);
            assertThat(read(pool, files.getFirst())).isEqualTo("x");
            assertThat(pool.tenants().usage(TENANT).files()).isOne();
        } finally {
            over.countDown();
        }
    }

    @Test
    void write_whenPlacingFails_goesToAnotherVolumeAndLeavesNothingOnTheFirst() throws Exception {
        AtomicInteger failed = new AtomicInteger();
        try (Pool pool = Pool.open(config())) {
            pool.volumes().setReadOnly("two");
            write(pool, TENANT, "before");
            pool.volumes().activate("two");
            placing.set(directory -> {
                if (directory.contains("/one/")) {
                    failed.incrementAndGet();
                    throw new PosixException("createInPlace", directory, Errno.ENOSPC);
                }
            });
            List<StoredFile> files = Crowd.run(20, number -> write(pool, TENANT, "moved on " + number));
            assertThat(files).allSatisfy(file -> {
                assertThat(pool.files().get(TENANT, file.key()).volume()).isEqualTo("two");
                assertThat(read(pool, file)).startsWith("moved on ");
            });
            assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(21);
            assertThat(blobs()).hasSize(21);

            pool.volumes().setReadOnly("two");
            assertThatThrownBy(() -> write(pool, TENANT, "nowhere"))
                    .isInstanceOf(InsufficientStorageException.class);
            assertThat(failed.get()).isPositive();
            assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(21);
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        }
    }

    @Test
    void write_whenItIsRefusedWhileItIsPlaced_leavesNoBytes() throws Exception {
        try (Pool pool = Pool.open(config())) {
            pool.tenants().setLimits(TENANT, TenantLimits.NONE.withFiles(10));
            List<Crowd.Outcome<StoredFile>> outcomes = Crowd
                    .<StoredFile>start(60, number -> write(pool, TENANT, "one of many " + number)).outcomes();
            assertThat(outcomes.stream().filter(Crowd.Outcome::succeeded)).hasSize(10);
            assertThat(outcomes.stream().filter(outcome -> !outcome.succeeded())).allSatisfy(
                    outcome -> assertThat(outcome.failure()).isInstanceOf(TenantQuotaExceededException.class));
            Awaitility.await().until(() -> blobs().size() == 10);
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        }
    }
}
