package io.entrepot.pool.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tenants with a database of their own are listened to like the others. */
class ShardListeningTest {
    private static final TenantId EARLY = new TenantId("early");
    private static final TenantId LATE = new TenantId("late");

    private final List<PoolEvent> told = Collections.synchronizedList(new ArrayList<>());

    @Test
    void listen_whenTenantsHaveShards_isToldOfThemToo(@TempDir Path directory) throws Exception {
        PoolConfig config = PoolConfig.in(directory.resolve("data"))
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false)));
        EventCursor kept;
        try (Pool pool = Pool.open(config)) {
            pool.tenants().createWithShard(EARLY, TenantLimits.NONE);
            Listening listening = pool.listen(EventFilter.all(), told::add);
            write(pool, EARLY);
            pool.tenants().createWithShard(LATE, TenantLimits.NONE);
            write(pool, LATE);
            write(pool, TenantId.DEFAULT);

            Awaitility.await().until(() -> told.size() == 4);
            assertThat(told).extracting(event -> event.store() + " " + event.type()).containsExactlyInAnyOrder(
                    "early file.written", "late tenant.created", "late file.written", "main file.written");
            kept = listening.cursor();
            assertThat(kept.positions().keySet()).containsExactly("early", "late", "main");
        }

        try (Pool pool = Pool.open(config)) {
            pool.listen(EventFilter.all().of(EventType.FILE_WRITTEN), kept, told::add);
            write(pool, LATE);

            Awaitility.await().until(() -> told.size() == 5);
            assertThat(told.getLast().tenant()).contains(LATE);
        }
    }

    @Test
    void listen_whenSomeTenantsAreNotToBeKnown_readsNothingOfTheirs(@TempDir Path directory) throws Exception {
        try (Pool pool = Pool.open(PoolConfig.in(directory.resolve("data"))
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))))) {
            pool.tenants().createWithShard(EARLY, TenantLimits.NONE);
            write(pool, EARLY);
            Listening all = pool.listen(LATE::equals, EventCursor.BEGINNING, told::add);
            try (Listening now = pool.listen(LATE::equals, _ -> {})) {
                assertThat(now.cursor().positions().keySet()).containsExactly("main");
            }
            pool.tenants().createWithShard(LATE, TenantLimits.NONE);
            write(pool, EARLY);
            write(pool, LATE);
            write(pool, TenantId.DEFAULT);

            Awaitility.await().untilAsserted(() -> assertThat(told)
                    .filteredOn(event -> event.type().equals("file.written")).hasSize(2));
            assertThat(told).extracting(PoolEvent::store).containsOnly("late", "main");
            assertThat(all.cursor().positions().keySet()).containsExactly("late", "main");
        }
    }

    private static void write(Pool pool, TenantId tenant) throws InterruptedException {
        pool.files().write(tenant, NewFile.unnamed(), "x".getBytes(UTF_8));
    }
}
