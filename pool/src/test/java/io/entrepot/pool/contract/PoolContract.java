package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.Database;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.QueueConfig;
import io.entrepot.store.Event;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the pool promises on every kind of database, part by part in the classes that extend this one. Clocks stand still, and
 * leases run out and retries come only by {@code pool.tick()}; volumes are synced often.
 */
abstract class PoolContract {
    static final TenantId ACME = new TenantId("acme");
    static final TenantId OTHER = new TenantId("other");
    static final Duration TERM = Duration.ofMinutes(1);

    private final PoolFixture fixture;
    final Clocks clocks = new Clocks();
    private Database database;
    Path directory;
    PoolConfig config;
    Pool pool;
    Storage storage;

    PoolContract(PoolFixture fixture) {
        this.fixture = fixture;
    }

    @BeforeEach
    void openFirst(@TempDir Path temporary) throws Exception {
        directory = temporary.resolve("data");
        storage = new Storage.InDirectory(directory.resolve("files"));
        database = fixture.database(clocks);
        config = PoolConfig.in(directory).withDatabase(database).withTenants(List.of(ACME, OTHER))
                .withQueue(QueueConfig.DEFAULT.withBackground(false)).withSyncEvery(Duration.ofMillis(20))
                .withPlatform(PoolConfig.Platform.system()
                        .withStore(StoreConfig.of().withSync(false).withClocks(clocks, clocks.ticker)));
        pool = Pool.open(config);
        if (database instanceof Database.OnPostgres) {
            clocks.follow(this::hearTheTime);
        }
    }

    /**
     * What time it is at a database is heard with every write. One of a keeper that was on its way while the clock moved has
     * brought the old time; whoever writes later hears the new one. So something is written that changes nothing.
     */
    private void hearTheTime() {
        try {
            pool.work().complete(new FileLease(OTHER, new FileKey(1L << 40, 1), new Fence(new Epoch(1), 1)));
        } catch (PoolException e) {
            // There is no such lease.
        }
    }

    @AfterEach
    void closeLast() {
        pool.close();
        fixture.giveBack(database);
    }

    final void reopen() throws Exception {
        pool.close();
        pool = Pool.open(config);
    }

    final FileKey write(TenantId tenant, String content) throws Exception {
        return write(tenant, NewFile.unnamed(), content);
    }

    final FileKey write(TenantId tenant, NewFile file, String content) throws Exception {
        return pool.files().write(tenant, file, content.getBytes(UTF_8)).key();
    }

    final ClaimedFile claim(TenantId tenant) {
        return pool.work().claim(tenant, "worker").orElseThrow(() -> new AssertionError("nothing of " + tenant));
    }

    final String read(TenantId tenant, FileKey key) throws Exception {
        try (FileContent content = pool.files().open(tenant, key)) {
            return new String(content.stream().readAllBytes(), UTF_8);
        }
    }

    final long fileCount(TenantId tenant) {
        return pool.quotas().fileCount(tenant, LogicalDirectory.ROOT);
    }

    /** Of the one volume, below the tenant's directory. */
    final List<Path> onDisk(TenantId tenant) throws IOException {
        return storage.blobs(tenant);
    }

    final List<String> events() {
        return pool.events().after(0, 1000).stream().map(Event::type).toList();
    }

    static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    static void assertRefused(Class<? extends PoolException> why, String code, ThrowingCallable call) {
        Assertions.assertThatThrownBy(call).isInstanceOf(why)
                .satisfies(e -> assertThat(((PoolException) e).code()).isEqualTo(code));
    }
}
