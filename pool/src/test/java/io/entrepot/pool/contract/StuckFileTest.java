package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.Backlog;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.Event;
import io.entrepot.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be removed, as one that somebody has made immutable, on a volume that works. */
class StuckFileTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final TenantId OTHER = new TenantId("other");

    private final Clocks clocks = new Clocks();
    private final AtomicReference<Optional<Path>> immutable = new AtomicReference<>(Optional.empty());
    private final AtomicInteger tries = new AtomicInteger();
    private PoolConfig config;

    @BeforeEach
    void configure(@TempDir Path temporary) {
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (call.equals("unlink") && immutable.get().filter(path -> path.toString().equals(directory.toString()))
                    .isPresent()) {
                tries.incrementAndGet();
                throw new PosixException(call, directory.toString(), Errno.EPERM);
            }
            return true;
        });
        config = PoolConfig.in(temporary.resolve("data")).withTenants(List.of(TENANT, OTHER))
                .withSyncEvery(Duration.ofMillis(5)).withPlatform(
                        PoolConfig.Platform.system().withCalls(calls)
                                .withStore(StoreConfig.of().withSync(false).withClocks(clocks, clocks.ticker)));
    }

    @Test
    void keeper_whenAFileCannotBeRemoved_tellsOnceAndTriesItRarelyAndTheVolumeIsHealthy() throws Exception {
        Path path;
        try (Pool pool = Pool.open(config)) {
            path = path(pool, TENANT, write(pool, TENANT));
            immutable.set(Optional.of(path.getParent()));
            pool.work().complete(pool.work().claim(TENANT, "worker").orElseThrow().lease());
            eventually(() -> pool.backlog().equals(new Backlog(0, 0, 1)));

            Path next = path(pool, OTHER, write(pool, OTHER));
            pool.work().complete(pool.work().claim(OTHER, "worker").orElseThrow().lease());
            eventually(() -> !Files.exists(next) && pool.backlog().equals(new Backlog(0, 0, 1)));
            assertThat(tries).hasValue(1);
            assertThat(path).exists();
            clocks.pass(Duration.ofHours(1));
            write(pool, OTHER); // wakes the keeper
            eventually(() -> tries.get() == 2 && pool.backlog().equals(new Backlog(0, 0, 1)));
            assertThat(types(pool)).contains("file.not-removed").doesNotContain("volume.failed");
            assertThat(types(pool).stream().filter("file.not-removed"::equals)).hasSize(1);
            assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.HEALTHY);
        }
        immutable.set(Optional.empty());
        try (Pool pool = Pool.open(config)) {
            clocks.pass(Duration.ofHours(1));
            write(pool, OTHER);
            eventually(() -> !Files.exists(path) && pool.backlog().equals(new Backlog(0, 0, 0)));
        }
    }

    private static FileKey write(Pool pool, TenantId tenant) throws Exception {
        return pool.files().write(tenant, NewFile.unnamed(), "x".getBytes(UTF_8)).key();
    }

    private static Path path(Pool pool, TenantId tenant, FileKey key) {
        return pool.files().get(tenant, key).path().orElseThrow();
    }

    private static List<String> types(Pool pool) {
        return pool.events().after(0, 1000).stream().map(Event::type).toList();
    }

    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
    }
}
