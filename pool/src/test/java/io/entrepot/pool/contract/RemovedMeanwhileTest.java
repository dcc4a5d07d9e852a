package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.Backlog;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.posix.BytePath;
import io.entrepot.store.Event;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scan for orphans sees a file's bytes just before the volume's keeper removes them, and asks the books just after. */
class RemovedMeanwhileTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    /** The first is that of whoever lists the directory. */
    private static final int CLOSER_LOOK = 2;

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicReference<Runnable> whenSeen = new AtomicReference<>(() -> {});
    private volatile @Nullable Path place;
    private final CountDownLatch unlink = new CountDownLatch(1);

    private final class Hook implements HookedCalls.Hook {
        @Override
        public boolean before(String call, BytePath directory) {
            return true;
        }

        @Override
        public void after(String call, BytePath directory) {
            if (call.equals("stat") && directory.toString().equals(String.valueOf(place))
                    && looks.incrementAndGet() == CLOSER_LOOK) {
                whenSeen.get().run();
            }
        }
    }

    @Test
    void orphans_whenTheKeeperRemovesAFileBetweenTheLookAndTheBooks_areNone(@TempDir Path temporary) throws Exception {
        PoolConfig config = PoolConfig.in(temporary.resolve("data")).withSyncEvery(Duration.ofMillis(5))
                .withPlatform(PoolConfig.Platform.system().withCalls(new HookedCalls(new Hook()))
                        .withStore(StoreConfig.of().withSync(false)).withFaults(this::untilSeen));
        try (Pool pool = Pool.open(config)) {
            FileKey key = pool.files().write(TENANT, NewFile.unnamed(), "x".getBytes(UTF_8)).key();
            place = pool.files().get(TENANT, key).path().orElseThrow().getParent();
            pool.work().complete(pool.work().claim(TENANT, "worker").orElseThrow().lease());
            CountDownLatch seen = new CountDownLatch(1);
            whenSeen.set(() -> {
                unlink.countDown();
                Awaitility.await().atMost(Duration.ofMinutes(1))
                        .until(() -> pool.backlog().equals(new Backlog(0, 0, 0)));
                seen.countDown();
            });

            var report = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();

            assertThat(seen.getCount()).isZero();
            assertThat(report.counts().orphanedFilesRemoved()).isZero();
            assertThat(pool.events().after(0, 1000)).extracting(Event::type).doesNotContain("file.orphan-removed");
        }
    }

    private void untilSeen(PoolFaults.Point point) {
        if (point == PoolFaults.Point.BEFORE_UNLINK) {
            try {
                unlink.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
