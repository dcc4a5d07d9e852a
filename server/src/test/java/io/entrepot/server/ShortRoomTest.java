package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.PoolConfig;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk of the database runs full under a server. */
class ShortRoomTest {
    private static final String FILES = "/v1/tenants/default/files";

    @TempDir
    private Path directory;
    private final AtomicLong free = new AtomicLong(1L << 40);

    @Test
    void server_whileRoomIsShort_refusesWhatAddsAndIsReadyForTheRest() {
        PoolConfig pool = PoolConfig.in(directory).withPlatform(PoolConfig.Platform.system()
                .withStore(StoreConfig.of().withSync(false).withSpace(_ -> free.get())));
        try (TestServer server = new TestServer(ServerConfig.of(pool))) {
            String key = server.put("default", "a", new byte[3]);
            assertThat(store(server).path("why").asText()).isEmpty();

            free.set(1 << 20);
            await().untilAsserted(() -> assertThat(store(server).path("why").asText()).contains("short of room"));
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
            Answered refused = server.post(FILES, "x", "Content-Type", "text/plain");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("pool.unavailable.disk-full");
            assertThat(server.call("DELETE", FILES + "/" + key, "").status()).isEqualTo(204);

            free.set(0);
            assertThat(server.call("DELETE", FILES + "/" + key, "").code()).isEqualTo("pool.unavailable.disk-full");
            assertThat(server.get("/health/ready").status()).isEqualTo(503);
            assertThat(store(server).path("why").asText()).contains("nothing can be written");

            free.set(1L << 40);
            await().untilAsserted(() -> assertThat(store(server).path("why").asText()).isEmpty());
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
            server.put("default", "b", new byte[3]);
        }
    }

    private static JsonNode store(TestServer server) {
        return server.get("/health/ready").json().path("parts").get(0);
    }
}
