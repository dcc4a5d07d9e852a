package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.FullDisk;
import io.entrepot.lab.LabDisk;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.job.JobName;
import io.entrepot.store.Advice;
import io.entrepot.store.Event;
import io.entrepot.store.Room;
import io.entrepot.store.StoreConfig;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk of the database is full: it can be emptied by those who have filled it. */
class FullDatabaseTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final TenantId SHARDED = new TenantId("sharded");
    private static final long ENOUGH = 1L << 40;
    private static final long SHORT = 1 << 20;

    @TempDir
    private Path temporary;
    private final AtomicLong free = new AtomicLong(ENOUGH);

    private PoolConfig config() {
        return PoolConfig.in(temporary.resolve("data")).withTenants(List.of(TENANT))
                .withSyncEvery(Duration.ofMillis(5)).withPlatform(PoolConfig.Platform.system()
                        .withStore(StoreConfig.of().withSync(false).withSpace(_ -> free.get())));
    }

    private static StoredFile write(Pool pool, TenantId tenant, String content) throws Exception {
        return pool.files().write(tenant, NewFile.unnamed(), content.getBytes(UTF_8));
    }

    private static ClaimedFile claim(Pool pool, TenantId tenant) {
        return pool.work().claim(tenant, "worker").orElseThrow();
    }

    private static void assertFull(ThrowingCallable call) {
        assertThatExceptionOfType(PoolUnavailableException.class).isThrownBy(call)
                .withMessageContaining(" left, ").satisfies(e -> {
                    assertThat(e.code()).isEqualTo("pool.unavailable.disk-full");
                    assertThat(e.advice()).isEqualTo(Advice.RETRY);
                });
    }

    private void setFree(Pool pool, long bytes, Room.Level expected) {
        free.set(bytes);
        Awaitility.await().until(() -> pool.room().orElseThrow().level() == expected);
    }

    @Test
    void pool_whileRoomIsShort_addsNothingAndFinishesAndFreesEverything() throws Exception {
        try (Pool pool = Pool.open(config())) {
            pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
            pool.tenants().setLimits(TENANT, TenantLimits.NONE);
            pool.quotas().set(QuotaRule.of("default/in", 2));
            NewFile keyed = NewFile.unnamed().withIdempotencyKey("once");
            StoredFile first = pool.files().write(TENANT, keyed, "once".getBytes(UTF_8));
            List<StoredFile> files = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                files.add(write(pool, TENANT, "12345"));
            }
            write(pool, SHARDED, "1");
            pool.files().write(TENANT, NewFile.unnamed().in("in"), new byte[1]);
            pool.files().write(TENANT, NewFile.unnamed().in("in"), new byte[1]);
            UploadId upload = pool.uploads().begin(TENANT, NewFile.unnamed());
            pool.uploads().append(TENANT, upload, 0, new byte[100]);
            UploadId other = pool.uploads().begin(TENANT, NewFile.unnamed());
            ClaimedFile before = claim(pool, TENANT);

            setFree(pool, SHORT, Room.Level.SHORT);
            assertFull(() -> write(pool, TENANT, "x"));
            assertFull(() -> write(pool, SHARDED, "x"));
            assertFull(() -> pool.files().write(TENANT, NewFile.unnamed(), new InputStream() {
                @Override
                public int read() {
                    throw new AssertionError("nothing is read for nothing");
                }
            }));
            assertFull(() -> pool.uploads().begin(TENANT, NewFile.unnamed()));
            assertFull(() -> pool.uploads().append(TENANT, upload, 100, new byte[1]));
            assertFull(() -> pool.uploads().finish(TENANT, upload));
            assertFull(() -> pool.tenants().create(new TenantId("another")));
            assertFull(() -> pool.tenants().createWithShard(new TenantId("another"), TenantLimits.NONE));
            assertThat(pool.files().write(TENANT, keyed, "once".getBytes(UTF_8)).key()).isEqualTo(first.key());
            assertThat(pool.tenants().find(new TenantId("another"))).isEmpty();

            pool.work().renew(before.lease());
            pool.work().complete(before.lease());
            pool.work().fail(claim(pool, TENANT).lease(), "try again");
            pool.work().failForGood(claim(pool, TENANT).lease(), "never again");
            pool.work().completeAndKeep(claim(pool, TENANT).lease());
            pool.work().release(claim(pool, TENANT).lease());
            pool.work().complete(claim(pool, SHARDED).lease());
            pool.files().delete(TENANT, files.getLast().key(), "room is short");
            assertThat(pool.cleanup().permanentlyFailed(TENANT, Duration.ZERO, false).await().counts()
                    .permanentlyFailedFilesRemoved()).isEqualTo(1);
            pool.cleanup().completedRecords(TENANT, Duration.ZERO, false).await();
            pool.cleanup().run(false).await();
            pool.cleanup().compact().await();
            pool.uploads().cancel(TENANT, other);
            pool.quotas().remove("default/in");
            assertThat(pool.quotas().recount(TENANT).corrections()).isEmpty();
            pool.volumes().sync();
            pool.tenants().delete(SHARDED, true);

            assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(7);
            assertThat(pool.check().problems()).isEmpty();
            assertThat(pool.quotas().fileCount(TENANT, LogicalDirectory.of("in"))).isEqualTo(2);

            setFree(pool, ENOUGH, Room.Level.ENOUGH);
            pool.uploads().append(TENANT, upload, 100, new byte[1]);
            assertThat(pool.uploads().finish(TENANT, upload).size()).isEqualTo(101);
            write(pool, TENANT, "x");
            assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(9);
            assertThat(pool.check().problems()).isEmpty();
        }
    }

    @Test
    void events_whenRoomIsShortAndEnoughAgain_sayItOnceEach() throws Exception {
        try (Pool pool = Pool.open(config())) {
            probe(pool);
            assertThat(roomEvents(pool)).isEmpty();
            setFree(pool, SHORT, Room.Level.SHORT);
            probe(pool);
            probe(pool);
            assertThat(roomEvents(pool)).containsExactly("pool.room-short");
            setFree(pool, ENOUGH, Room.Level.ENOUGH);
            probe(pool);
            probe(pool);
            assertThat(roomEvents(pool)).containsExactly("pool.room-short", "pool.room-enough");
        }
    }

    private static void probe(Pool pool) throws InterruptedException {
        pool.jobs().trigger(new JobName("probe-volumes")).handle().await(Duration.ofSeconds(30));
    }

    private static List<String> roomEvents(Pool pool) {
        return pool.events().after(0, 10_000).stream().map(Event::type).filter(type -> type.startsWith("pool.room"))
                .toList();
    }

    /** Also if the configuration has a tenant that is not there yet: that waits for room. */
    @Test
    void open_whileRoomIsShort_opensAndMakesTenantsLater() throws Exception {
        Pool.open(config()).close();
        free.set(SHORT);
        PoolConfig more = config().withTenants(List.of(TENANT, SHARDED));
        try (Pool pool = Pool.open(more)) {
            assertThat(pool.tenants().find(SHARDED)).isEmpty();
        }
        free.set(ENOUGH);
        try (Pool pool = Pool.open(more)) {
            assertThat(pool.tenants().find(SHARDED)).isPresent();
        }
    }

    /** Books and bytes on one disk that others fill, nearly to the last byte. */
    @Test
    void pool_whenOthersHaveFilledTheDisk_isEmptiedAndGoesOn() throws Exception {
        Assumptions.assumeTrue(LabDisk.obstacle().isEmpty());
        try (FullDisk disk = FullDisk.create(160L << 20)) {
            PoolConfig config = PoolConfig.in(disk.root().resolve("data")).withSyncEvery(Duration.ofMillis(5));
            List<StoredFile> files = new ArrayList<>();
            try (Pool pool = Pool.open(config)) {
                for (int i = 0; i < 100; i++) {
                    files.add(write(pool, TENANT, "content of " + i));
                }
                disk.fill(512 << 10); // what is less is taken from the reserve
                Awaitility.await().until(() -> pool.room().orElseThrow().level() == Room.Level.SHORT);
                assertFull(() -> write(pool, TENANT, "x"));
                for (ClaimedFile claimed : pool.work().claim(ClaimOrder.of(TENANT, "worker").withMax(20))) {
                    pool.work().complete(claimed.lease());
                    files.removeIf(file -> file.key().equals(claimed.key()));
                }
                for (StoredFile file : List.copyOf(files.subList(0, 30))) {
                    pool.files().delete(TENANT, file.key(), "room is short");
                    files.remove(file);
                }
            }
            try (Pool pool = Pool.open(config)) { // still full
                pool.files().delete(TENANT, files.removeFirst().key(), "room is short");
                assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(49);
                disk.free();
                Awaitility.await().until(() -> pool.room().orElseThrow().isEnough());
                pool.volumes().probe();
                files.add(write(pool, TENANT, "another"));
                assertThat(pool.tenants().usage(TENANT).files()).isEqualTo(50);
                assertThat(pool.check().problems()).isEmpty();
            }
            try (Pool pool = Pool.open(config)) {
                assertThat(pool.files().list(FileQuery.of(TENANT).withLimit(1000)).files()).hasSize(50);
                for (StoredFile file : files) {
                    try (FileContent content = pool.files().open(TENANT, file.key())) {
                        assertThat(content.verifiedStream().readAllBytes()).hasSize((int) file.size());
                    }
                }
            }
        }
    }
}
