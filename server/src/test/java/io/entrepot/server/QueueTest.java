package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files handed to workers over HTTP. */
class QueueTest {
    private static final String TENANT = "/v1/tenants/default";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String claim() {
        return server.post(TENANT + "/claims", "{}").json().path("files").path(0).path("lease").asText();
    }

    private JsonNode end(String step, String json) {
        return server.post(TENANT + "/leases/" + step, json).json().path("results").path(0);
    }

    @Test
    void claim_handsEachFileToOne() {
        String key = server.put("default", "a", new byte[1]);
        JsonNode claimed = server.post(TENANT + "/claims", "{\"max\":5,\"lease\":\"1m\",\"worker\":\"w1\"}").json()
                .path("files");
        assertThat(claimed).hasSize(1);
        assertThat(claimed.path(0).path("file").path("key").asText()).isEqualTo(key);
        assertThat(claimed.path(0).path("file").path("worker").asText()).isEqualTo("w1");
        assertThat(claimed.path(0).path("term").asText()).isEqualTo("PT1M");
        assertThat(server.post(TENANT + "/claims", "").json().path("files")).isEmpty();
    }

    @Test
    void claim_waitsForWhatComes() {
        CompletableFuture<Answered> waiting = CompletableFuture.supplyAsync(
                () -> server.post(TENANT + "/claims", "{\"wait\":\"20s\"}"));
        server.put("default", "a", new byte[1]);
        assertThat(waiting.join().json().path("files")).hasSize(1);
    }

    @Test
    void complete_isFencedAndRepeatable() {
        server.put("default", "a", new byte[1]);
        String lease = claim();
        assertThat(end("renew", "{\"leases\":[\"" + lease + "\"]}").path("result").asText()).isEqualTo("renewed");
        String both = "{\"leases\":[\"" + lease + "\",\"" + lease.replaceAll("@\\d+", "@9") + "\"]}";
        JsonNode results = server.post(TENANT + "/leases/complete", both).json().path("results");
        assertThat(results.path(0).path("result").asText()).isEqualTo("completed");
        assertThat(results.path(0).path("repeated").asBoolean()).isFalse();
        assertThat(results.path(1).path("result").asText()).isEqualTo("refused");
        assertThat(results.path(1).path("problem").path("code").asText()).isEqualTo("pool.lease-lost");
        assertThat(end("fail", "{\"leases\":[\"" + lease + "\"],\"error\":\"late\"}").path("result").asText())
                .isEqualTo("completed");
        assertThat(server.get(TENANT + "/files").json().path("files")).isEmpty();
    }

    @Test
    void endings_areAllThatTheLibraryHas() {
        for (int i = 0; i < 4; i++) {
            server.put("default", "f" + i, new byte[1]);
        }
        assertThat(end("complete", "{\"leases\":[\"" + claim() + "\"],\"keep\":true}").path("result").asText())
                .isEqualTo("kept");
        assertThat(end("fail", "{\"leases\":[\"" + claim() + "\"],\"error\":\"e\"}").path("result").asText())
                .isEqualTo("retrying");
        assertThat(end("fail", "{\"leases\":[\"" + claim() + "\"],\"error\":\"e\",\"retryable\":false}")
                .path("result").asText()).isEqualTo("permanently-failed");
        String lease = claim();
        assertThat(end("release", "{\"leases\":[\"" + lease + "\"]}").path("result").asText()).isEqualTo("released");
        assertThat(end("fail", "{\"leases\":[\"" + claim() + "\"],\"error\":\"e\",\"putOff\":true}").path("result")
                .asText()).isEqualTo("put-off");
        assertThat(server.post(TENANT + "/retry-failed", "").json().path("count").asInt()).isEqualTo(1);
        assertThat(server.post(TENANT + "/unhold", "").json().path("count").asInt()).isZero();
        assertThat(server.post(TENANT + "/leases/renew", "{\"leases\":[\"nonsense\"]}").code())
                .isEqualTo("http.invalid-value");
        assertThat(server.post(TENANT + "/leases/renew", "{\"leases\":[\"" + lease.replace("default", "other")
                + "\"]}").code()).isEqualTo("http.invalid-value");
    }

    @Test
    void file_isClaimedByNameAndResetByAnOperator() {
        String file = TENANT + "/files/" + server.put("default", "a", new byte[1]);
        String lease = server.post(file + "/claim", "{\"lease\":\"1m\"}").json().path("lease").asText();
        assertThat(server.post(file + "/claim", "{}").code()).isEqualTo("pool.file-already-processing");
        assertThat(server.post(file + "/reset", "").status()).isEqualTo(204);
        assertThat(end("complete", "{\"leases\":[\"" + lease + "\"]}").path("result").asText()).isEqualTo("refused");
        end("fail", "{\"leases\":[\"" + claim() + "\"],\"error\":\"e\"}");
        assertThat(server.post(file + "/retry", "").json().path("changed").asBoolean()).isTrue();
        assertThat(server.post(file + "/unhold", "").json().path("changed").asBoolean()).isFalse();
    }

    @Test
    void stop_wakesWhoWaits() {
        CompletableFuture<Answered> waiting = CompletableFuture.supplyAsync(
                () -> server.post(TENANT + "/claims", "{\"wait\":\"50s\"}"));
        await().until(() -> server.server().underWay() == 1);
        server.close();
        assertThat(waiting.join().code()).isEqualTo("http.shutting-down");
    }
}
