package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.config.Source;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may call. */
class KeysTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private ServerConfig with(Map<String, ?> settings) {
        return ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", Map.of("directory",
                directory.toString())), new Source("test", settings))).value();
    }

    @Test
    void firstKey_whenTheFirstStartCouldNotListen_isMadeByTheNext() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerConfig config = ServerConfig.in(directory.resolve("taken")).withPort(taken.getLocalPort());
            assertThatThrownBy(() -> Server.start(config)).isInstanceOf(CannotListenException.class);
        }
        try (Server next = Server.start(ServerConfig.in(directory.resolve("taken")).withPort(0))) {
            assertThat(next.firstKey()).isPresent();
        }
    }

    @Test
    void firstStart_makesAnAdminKey_andRestartsKeepIt() {
        String admin;
        String other;
        try (TestServer server = new TestServer(directory)) {
            admin = server.server().firstKey().orElseThrow().written();
            assertThat(admin).startsWith("ek_");
            other = server.key("tenant:default:read");
        }
        try (TestServer server = new TestServer(directory)) {
            assertThat(server.server().firstKey()).isEmpty();
            assertThat(server.as(admin, "GET", "/v1/me", "").json().path("scopes").path(0).asText())
                    .isEqualTo("admin");
            assertThat(server.as(other, "GET", "/v1/tenants/default", "").status()).isEqualTo(200);
        }
    }

    /** Not in the database, its log, or any file but the one for the owner of this machine. */
    @Test
    void secret_isNowhereOnDisk() throws Exception {
        try (TestServer server = new TestServer(directory)) {
            String secret = server.key("admin").split("_", -1)[2];
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(secret))
                            .as(file.toString()).isFalse();
                }
            }
        }
    }

    @Test
    void localCredential_isForTheOwnerAloneAndOnlyWhileItRuns() throws Exception {
        Path file = directory.resolve(LocalCredential.NAME);
        String key;
        try (TestServer server = new TestServer(directory)) {
            JsonNode local = Answered.MAPPER.readTree(Files.readString(file));
            key = local.path("key").asText();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
            assertThat(local.path("address").asText()).isEqualTo(server.server().address());
            assertThat(server.as(key, "GET", "/v1/keys", "").status()).isEqualTo(200);
        }
        assertThat(file).doesNotExist();
        try (TestServer server = new TestServer(directory)) {
            assertThat(server.as(key, "GET", "/v1/keys", "").code()).isEqualTo("access.invalid-key");
        }
    }

    @Test
    void key_isRevokedAtOnce() {
        try (TestServer server = new TestServer(directory)) {
            String key = server.key("admin");
            String id = key.split("_", -1)[1];
            assertThat(server.as(key, "GET", "/v1/me", "").status()).isEqualTo(200);
            assertThat(server.call("DELETE", "/v1/keys/" + id + "?forget=true", "").code()).isEqualTo("http.exists");
            assertThat(server.call("DELETE", "/v1/keys/" + id, "").status()).isEqualTo(204);
            assertThat(server.as(key, "GET", "/v1/me", "").code()).isEqualTo("access.invalid-key");
            JsonNode shown = server.get("/v1/keys/" + id).json();
            assertThat(shown.has("revoked")).isTrue();
            assertThat(shown.has("lastUsed")).isTrue();
            assertThat(server.call("DELETE", "/v1/keys/" + id + "?forget=true", "").status()).isEqualTo(204);
            assertThat(server.get("/v1/keys/" + id).code()).isEqualTo("http.no-such-resource");
        }
    }

    @Test
    void key_thatMakesNoSense_isRefused() {
        try (TestServer server = new TestServer(directory)) {
            assertThat(server.post("/v1/keys", "{\"name\":\"x\",\"scopes\":[\"tenant:acme:all\"]}").json()
                    .path("detail").asText()).contains("is not a scope");
            assertThat(server.post("/v1/keys", "{\"name\":\"x\",\"scopes\":[]}").code())
                    .isEqualTo("http.invalid-value");
            assertThat(server.post("/v1/keys", "{\"name\":\"x\",\"scopes\":[\"admin\"],\"expires\":"
                    + "\"2000-01-01T00:00:00Z\"}").code()).isEqualTo("http.invalid-value");
        }
    }

    @Test
    void audit_saysWhoDidWhatAndWhatCameOfIt() {
        try (TestServer server = new TestServer(directory)) {
            server.post("/v1/tenants", "{\"id\":\"acme\"}");
            server.post("/v1/tenants", "{\"id\":\"acme\"}");
            String weak = server.key("tenant:acme:read");
            server.as(weak, "POST", "/v1/tenants", "{\"id\":\"mine\"}");
            JsonNode entries = server.get("/v1/audit?action=createTenant").json().path("entries");
            assertThat(entries).hasSize(3);
            assertThat(entries.path(0).path("outcome").asText()).isEqualTo("access.forbidden");
            assertThat(entries.path(0).path("key").asText()).isEqualTo(weak.split("_", -1)[1]);
            assertThat(entries.path(1).path("outcome").asText()).isEqualTo("pool.tenant-exists");
            assertThat(entries.path(2).path("outcome").asText()).isEqualTo("ok");
            assertThat(entries.path(2).path("address").asText()).isEqualTo("127.0.0.1");
            assertThat(server.get("/v1/audit?limit=1&before=" + entries.path(0).path("number").asText()).json()
                    .path("entries")).hasSize(1);
            assertThat(server.get("/v1/audit").text()).doesNotContain(weak.split("_", -1)[2]);
        }
    }

    @Test
    void failures_whenThereAreTooMany_areToldToWait() {
        try (TestServer server = new TestServer(with(Map.of("server.failures-per-minute", 3)))) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.as("", "GET", "/v1/me", "").status()).isEqualTo(401);
            }
            Answered answer = server.as("wrong", "GET", "/v1/me", "");
            assertThat(answer.code()).isEqualTo("access.too-many-failures");
            assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 60);
            assertThat(server.get("/v1/me").status()).as("a valid key is not locked out").isEqualTo(200);
        }
    }

    @Test
    void key_thatAsksTooOften_isToldToWait() {
        try (TestServer server = new TestServer(with(Map.of("server.requests-per-second", 1)))) {
            Answered answer = server.get("/v1/me");
            for (int i = 0; i < 5 && answer.status() == 200; i++) {
                answer = server.get("/v1/me");
            }
            assertThat(answer.code()).isEqualTo("http.rate-limited");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
    }

    @Test
    void origins_areAllowedOnlyIfConfigured() {
        try (TestServer server = new TestServer(with(Map.of("server.cors-origins", List.of("https://ours.example"))))) {
            assertThat(server.get("/v1/me", "Origin", "https://ours.example").header("Access-Control-Allow-Origin"))
                    .isEqualTo("https://ours.example");
            assertThat(server.get("/v1/me", "Origin", "https://other.example").header("Access-Control-Allow-Origin"))
                    .isEmpty();
            Answered preflight = server.as("", "OPTIONS", "/v1/me", "", "Origin", "https://ours.example",
                    "Access-Control-Request-Method", "GET");
            assertThat(preflight.status()).isEqualTo(204);
        }
    }
}
