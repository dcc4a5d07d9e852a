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

    private Answered keyed(String key, String json) {
        return server.post(TENANT + "/claims", json, "Idempotency-Key", key);
    }

    @Test
    void claim_withAKeyIsOneClaimHoweverOftenItIsSent() {
        for (int i = 0; i < 3; i++) {
            server.put("default", "f" + i, new byte[1]);
        }
        String ask = "{\"max\":2,\"lease\":\"1m\",\"worker\":\"w\"}";
        JsonNode first = keyed("k", ask).json();
        assertThat(first.path("files")).hasSize(2);
        assertThat(keyed("k", ask).json()).isEqualTo(first);
        assertThat(keyed("k", ask.replace("}", ",\"wait\":\"20s\"}")).json()).as("it does not wait").isEqualTo(first);
        assertThat(keyed("k", "{\"max\":3}").code()).isEqualTo("pool.idempotency-conflict");
        assertThat(keyed("k", "{\"max\":3}").status()).isEqualTo(422);
        String other = server.key("tenant:default:process");
        assertThat(server.as(other, "POST", TENANT + "/claims", ask, "Idempotency-Key", "k").json().path("files"))
                .as("each API key has its own").hasSize(1);

        end("complete", "{\"leases\":[\"" + first.path("files").path(0).path("lease").asText() + "\"]}");
        JsonNode rest = keyed("k", ask).json().path("files");
        assertThat(rest).hasSize(1);
        assertThat(rest.path(0).path("lease")).isEqualTo(first.path("files").path(1).path("lease"));
        end("release", "{\"leases\":[\"" + rest.path(0).path("lease").asText() + "\"]}");
        assertThat(keyed("k", ask).code()).as("all that it got has ended").isEqualTo("pool.idempotency-conflict");
        assertThat(keyed("k".repeat(201), ask).code()).isEqualTo("http.invalid-value");
    }

    @Test
    void claim_withAKeySurvivesARestart() {
        server.put("default", "a", new byte[1]);
        server.put("default", "b", new byte[1]);
        JsonNode first = keyed("k", "{\"worker\":\"w\"}").json();
        String admin = server.admin();
        server.close();
        server = new TestServer(directory);
        assertThat(server.as(admin, "POST", TENANT + "/claims", "{\"worker\":\"w\"}", "Idempotency-Key", "k").json()
                .path("files").path(0).path("lease")).isEqualTo(first.path("files").path(0).path("lease"));
    }

    @Test
    void claim_withAKeyThatWaitsTwiceTakesOneFile() {
        String ask = "{\"wait\":\"20s\",\"worker\":\"w\"}";
        CompletableFuture<Answered> lost = CompletableFuture.supplyAsync(() -> keyed("k", ask));
        CompletableFuture<Answered> again = CompletableFuture.supplyAsync(() -> keyed("k", ask));
        server.put("default", "a", new byte[1]);
        server.put("default", "b", new byte[1]);
        assertThat(lost.join().json()).isEqualTo(again.join().json());
        assertThat(server.post(TENANT + "/claims", "{\"max\":9}").json().path("files")).hasSize(1);
    }

    @Test
    void claim_ofManyTenantsOrOfOneFileMayHaveAKeyToo() {
        String file = TENANT + "/files/" + server.put("default", "a", new byte[1]);
        String ask = "{\"lease\":\"1m\",\"worker\":\"w\"}";
        Answered one = server.post(file + "/claim", ask, "Idempotency-Key", "k");
        assertThat(one.json().path("lease").asText()).isNotEmpty();
        assertThat(server.post(file + "/claim", ask, "Idempotency-Key", "k").json()).isEqualTo(one.json());
        assertThat(server.post(file + "/claim", "{}", "Idempotency-Key", "k").code())
                .isEqualTo("pool.idempotency-conflict");
        assertThat(server.post(file + "/claim", ask, "Idempotency-Key", "another").code())
                .isEqualTo("pool.file-already-processing");

        server.post("/v1/tenants", "{\"id\":\"other\"}");
        server.put("default", "b", new byte[1]);
        server.put("other", "c", new byte[1]);
        String both = "{\"tenants\":[\"default\",\"other\"],\"max\":5}";
        Answered many = server.post("/v1/claims", both, "Idempotency-Key", "m");
        assertThat(many.json().path("files")).hasSize(2);
        assertThat(server.post("/v1/claims", both, "Idempotency-Key", "m").json().path("files")).hasSize(2)
                .containsExactlyInAnyOrderElementsOf(many.json().path("files"));
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
