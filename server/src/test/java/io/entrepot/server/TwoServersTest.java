package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.lab.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one PostgreSQL and one volume. */
class TwoServersTest {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final String TENANT = "/v1/tenants/default";
    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer one;
    @SuppressWarnings("NullAway.Init")
    private TestServer two;
    private String admin = "";

    @BeforeEach
    void start() throws IOException {
        String schema = "servers_" + MADE.incrementAndGet();
        one = new TestServer(config("one", schema));
        two = new TestServer(config("two", schema));
        admin = one.server().firstKey().orElseThrow().written();
    }

    @AfterEach
    void stop() {
        two.close();
        one.close();
    }

    private ServerConfig config(String name, String schema) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".toml"),
                """
                directory = "%s"
                [database]
                kind = "postgres"
                url = "%s"
                user = "%s"
                schema = "%s"
                [[volume]]
                name = "main"
                path = "shared"
                """.formatted(name, PostgresServer.shared().url(schema), PostgresServer.USER, schema));
        return ServerSettings.read(Optional.of(file), Map.of(), List.of()).value();
    }

    @Test
    void file_goesInAtOneAndIsWorkedOnAtTheOther() {
        String key = one.put("default", "a.txt", "hello".getBytes(StandardCharsets.UTF_8));
        String file = TENANT + "/files/" + key;
        assertThat(two.as(admin, "GET", file + "/content", "").text()).isEqualTo("hello");
        JsonNode claimed = two.as(admin, "POST", TENANT + "/claims", "{\"wait\":\"10s\",\"worker\":\"w\"}").json()
                .path("files");
        assertThat(claimed).hasSize(1);
        assertThat(one.as(admin, "POST", TENANT + "/claims", "{}").json().path("files")).as("claimed already")
                .isEmpty();
        String lease = "{\"leases\":[\"" + claimed.path(0).path("lease").asText() + "\"]}";
        assertThat(one.post(TENANT + "/leases/renew", lease).json().path("results").path(0).path("result").asText())
                .as("a lease is good at every server").isEqualTo("renewed");
        assertThat(one.post(TENANT + "/leases/complete", lease).json().path("results").path(0).path("result").asText())
                .isEqualTo("completed");
        assertThat(two.as(admin, "POST", TENANT + "/leases/complete", lease).json().path("results").path(0)
                .path("repeated").asBoolean()).isTrue();
        assertThat(two.as(admin, "GET", file + "/content", "").code()).isEqualTo("pool.file-not-found");
    }

    @Test
    void claim_withAKeyIsOneClaimAtBoth() {
        one.put("default", "a.txt", new byte[1]);
        one.put("default", "b.txt", new byte[1]);
        String ask = "{\"wait\":\"10s\",\"worker\":\"w\"}";
        JsonNode first = one.as(admin, "POST", TENANT + "/claims", ask, "Idempotency-Key", "k").json();
        assertThat(first.path("files")).hasSize(1);
        assertThat(two.as(admin, "POST", TENANT + "/claims", ask, "Idempotency-Key", "k").json()).isEqualTo(first);
    }

    @Test
    void key_isGoodAtBoth_andRefusedByBothSoonAfterItIsRevoked() {
        String key = one.key("tenant:default:read");
        await().atMost(SOON).until(() -> two.as(key, "GET", "/v1/me", "").status() == 200);
        assertThat(one.call("DELETE", "/v1/keys/" + key.split("_", -1)[1], "").status()).isEqualTo(204);
        await().atMost(SOON).until(() -> two.as(key, "GET", "/v1/me", "").status() == 401);
    }

    @Test
    void audit_hasWhatWasDoneAtEither() {
        assertThat(one.post("/v1/tenants", "{\"id\":\"acme\"}").status()).isEqualTo(201);
        assertThat(two.as(admin, "POST", "/v1/tenants", "{\"id\":\"globex\"}").status()).isEqualTo(201);
        assertThat(two.as(admin, "GET", "/v1/audit?action=createTenant", "").json().path("entries")).hasSize(2);
        assertThat(one.get("/v1/audit?action=createTenant").json().path("entries")).hasSize(2);
    }

    @Test
    void events_ofOneAreToldByTheOther() throws Exception {
        HttpRequest follow = HttpRequest.newBuilder(URI.create(two.server().address() + "/v1/events?type=file.written"))
                .header("Authorization", "Bearer " + admin).build();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(TestServer.client().send(follow,
                BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            String key = one.put("default", "a.txt", new byte[3]);
            String line = "";
            while (!line.contains(key)) {
                line = String.valueOf(lines.readLine());
                assertThat(line).isNotEqualTo("null");
            }
        }
    }
}
