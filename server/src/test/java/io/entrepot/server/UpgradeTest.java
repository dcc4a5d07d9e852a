package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.PoolConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data that an earlier version has written, byte by byte as it left it: {@code earlier-94d2fac.zip} is the data directory of the server
 * of that commit, which had fewer tables and fewer columns than this one. When tables change, a directory of the version before is
 * put beside it.
 */
class UpgradeTest {
    // Keys to nothing but these files.
    private static final String ADMIN = "ek_ppkszxwuwmny_cyilfvrsornlrq7brz5aeq7ozdsvggggvekrh6vxv5qocihmuhbc";
    private static final String READER = "ek_u6xez335dq6b_sitwc3lylg23z2g7b6sogmifld4tqlfguw6jb2wl7eyoybxz7dyy";
    private static final String REVOKED = "ek_f3zf64zrjhek_yhy2e3fbujosg2tx6k6mgtobc5yrjbyf6yaqfx3ootmy3h33zcjz";
    private static final String HELLO = "0000000000000001a2b063c0080356a1";
    private static final String LARGE = "0000000000000002ea3a444b120ddee0";
    private static final String DONE = "0000000000000003794c1dd10dc8533d";

    private static final Instant THEN = Instant.parse("2026-11-17T05:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** Soon after the data was written: some of it is kept for days only, and this test for years. */
    private ServerConfig then() {
        ServerConfig config = ServerConfig.in(directory);
        PoolConfig.Platform platform = config.pool().platform();
        InstantSource wall = InstantSource.offset(InstantSource.system(), Duration.between(Instant.now(), THEN));
        return config.withPool(config.pool()
                .withPlatform(platform.withStore(platform.store().withClocks(wall, platform.store().ticker()))));
    }

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream in = Objects.requireNonNull(UpgradeTest.class.getResourceAsStream("earlier-94d2fac.zip"));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path path = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(zip, path);
                }
            }
        }
    }

    @Test
    void data_ofAnEarlierVersion_isServed_withItsKeysFilesAndHistory() {
        try (TestServer server = new TestServer(then())) {
            assertThat(server.server().firstKey()).as("there is an administrator").isEmpty();
            assertThat(server.as(ADMIN, "GET", "/v1/me", "").json().path("scopes").path(0).asText()).isEqualTo("admin");
            assertThat(server.as(REVOKED, "GET", "/v1/me", "").status()).isEqualTo(401);
            String files = "/v1/tenants/acme/files/";
            assertThat(server.as(READER, "GET", files + HELLO + "/content?verify=true", "").text())
                    .isEqualTo("hello, acme");
            assertThat(server.as(READER, "GET", files + LARGE + "/content?verify=true", "").bytes())
                    .isEqualTo(new byte[70_000]);
            assertThat(server.as(READER, "GET", files + HELLO, "").json().path("labels").path("order").asText())
                    .isEqualTo("4711");
            assertThat(server.as(READER, "DELETE", files + HELLO, "").status()).isEqualTo(403);
            assertThat(server.get("/v1/tenants/acme").json().path("maxFiles").asInt()).isEqualTo(100);
            assertThat(server.get("/v1/tenants/acme").json().path("usage").path("files").asInt()).isEqualTo(2);
            assertThat(server.get("/v1/tenants/default/files/" + DONE + "/explain").text()).contains("completed it");
            assertThat(server.get("/v1/audit").text()).contains("createTenant");
            assertThat(
                    server.checked("POST", "/v1/tenants/acme/files?name=hello.txt&dir=in/2026&label=order=4711", ADMIN,
                            BodyPublishers.ofString("hello, acme"), "Idempotency-Key", "mail-1").status())
                    .as("its idempotency keys are known").isEqualTo(200);
        }
    }

    @Test
    void data_ofAnEarlierVersion_canDoWhatIsNew_andStaysGoodOverARestart() {
        try (TestServer server = new TestServer(then())) {
            assertThat(server.post("/v1/webhooks", "{\"name\":\"new\",\"url\":\"https://example.invalid/\",\"types\":"
                    + "[\"file.failed-permanently\"]}").status()).isEqualTo(201);
            assertThat(server.send("POST", "/v1/tenants/acme/uploads", ADMIN, BodyPublishers.noBody(), "Tus-Resumable",
                    "1.0.0", "Upload-Length", "5").status()).isEqualTo(201);
            server.put("acme", "new.txt", new byte[9]);
        }
        try (TestServer server = new TestServer(then())) {
            assertThat(server.as(ADMIN, "GET", "/v1/webhooks", "").json().path("webhooks")).hasSize(1);
            assertThat(server.as(ADMIN, "GET", "/v1/tenants/acme/uploads", "").json().path("uploads"))
                    .hasSize(1);
            assertThat(server.get("/v1/tenants/acme").json().path("usage").path("files").asInt()).isEqualTo(3);
            assertThat(server.post("/v1/tenants/acme/recount", "").json().path("corrections")).isEmpty();
            assertThat(server.post("/v1/tenants/acme/claims", "{\"max\":10}").json().path("files")).hasSize(2);
            assertThat(server.post("/v1/tenants/acme/claims", "{\"wait\":\"20s\"}").json().path("files").path(0)
                    .path("file").path("key").asText()).as("what was leased then comes back when its term is over")
                    .isEqualTo(HELLO);
        }
    }
}
