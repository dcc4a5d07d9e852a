package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup knows nothing of keys that were revoked after it. */
class RestoredKeysTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void restore_letsNoKeyIn_untilItIsEnabled() throws Exception {
        Path data = directory.resolve("data");
        Path backup = directory.resolve("backup");
        String admin;
        String good;
        String revokedSince;
        String revokedBefore;
        try (TestServer server = new TestServer(data)) {
            admin = server.admin();
            good = server.key("tenant:default:read");
            revokedSince = server.key("admin");
            revokedBefore = server.key("admin");
            revoke(server, revokedBefore);
            server.pool().backup(backup);
            revoke(server, revokedSince);
        }
        forgetDatabase(data);
        Pool.restore(backup, PoolConfig.in(data)); // by one that knows nothing of keys, as the command does
        Pool.open(PoolConfig.in(data)).close();
        try (TestServer server = new TestServer(data)) {
            for (String key : new String[]{admin, good, revokedSince, revokedBefore}) {
                assertThat(server.as(key, "GET", "/v1/me", "").code()).isEqualTo("access.invalid-key");
            }
            assertThat(server.server().firstKey()).as("somebody can do something").isPresent();
            JsonNode enabled = server.post("/v1/keys/enable", "{\"ids\":[\"" + id(good) + "\",\"" + id(admin) + "\",\""
                    + id(revokedBefore) + "\"]}").json().path("keys");
            assertThat(enabled).as("not what was revoked before").hasSize(2);
            assertThat(server.as(good, "GET", "/v1/me", "").status()).isEqualTo(200);
            assertThat(server.get("/v1/keys/" + id(revokedSince)).json().path("held").asBoolean()).isTrue();
            assertThat(server.get("/v1/keys/" + id(good)).json().has("held")).isFalse();
            revoke(server, revokedSince);
            assertThat(server.post("/v1/keys/enable", "{}").json().path("keys")).isEmpty();
            assertThat(server.as(revokedSince, "GET", "/v1/me", "").code()).isEqualTo("access.invalid-key");
        }
        try (TestServer server = new TestServer(data)) {
            assertThat(server.as(admin, "GET", "/v1/me", "").status()).as("once is enough").isEqualTo(200);
            assertThat(server.server().firstKey()).isEmpty();
        }
    }

    private static void forgetDatabase(Path data) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(data, "entrepot.db*")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    private static String id(String key) {
        return key.split("_", -1)[1];
    }

    private static void revoke(TestServer server, String key) {
        assertThat(server.call("DELETE", "/v1/keys/" + id(key), "").status()).isEqualTo(204);
    }
}
