package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators do: tenants, quotas, volumes, watchers, jobs, backups. */
class AdministrationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer(directory.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static List<String> names(JsonNode list, String field) {
        List<String> names = new ArrayList<>();
        list.forEach(each -> names.add(each.path(field).asText()));
        return names;
    }

    @Test
    void tenant_isCreatedChangedAndDeleted() {
        Answered made = server.post("/v1/tenants", "{\"id\":\"acme\",\"maxFiles\":3,\"retry\":{\"attempts\":7}}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/v1/tenants/acme");
        assertThat(made.json().path("retry").path("attempts").asInt()).isEqualTo(7);
        assertThat(server.post("/v1/tenants", "{\"id\":\"acme\"}").code()).isEqualTo("pool.tenant-exists");
        assertThat(server.post("/v1/tenants", "{\"id\":\"ACME\"}").json().path("detail").asText())
                .contains("did you mean \"acme\"");

        server.put("acme", "a", new byte[5]);
        JsonNode seen = server.get("/v1/tenants/acme").json();
        assertThat(seen.path("usage").path("bytes").asLong()).isEqualTo(5);
        assertThat(seen.has("oldestPending")).isTrue();

        JsonNode changed = server.call("PATCH", "/v1/tenants/acme",
                "{\"status\":\"suspended\",\"maxFiles\":null,\"maxBytes\":9,\"paused\":true,\"retry\":null}").json();
        assertThat(changed.path("status").asText()).isEqualTo("suspended");
        assertThat(changed.has("maxFiles")).isFalse();
        assertThat(changed.has("retry")).isFalse();
        assertThat(changed.path("maxBytes").asInt()).isEqualTo(9);
        assertThat(changed.path("paused").asBoolean()).isTrue();

        assertThat(server.call("DELETE", "/v1/tenants/acme", "").status()).isEqualTo(400);
        assertThat(server.call("DELETE", "/v1/tenants/acme?withFiles=true", "").status()).isEqualTo(204);
        assertThat(server.get("/v1/tenants/acme").code()).isEqualTo("pool.tenant-not-found");
    }

    @Test
    void field_whenItIsNotKnown_isRefusedWithTheNearest() {
        Answered answer = server.post("/v1/tenants", "{\"id\":\"acme\",\"maxfile\":3}");
        assertThat(answer.code()).isEqualTo("http.unknown-field");
        assertThat(answer.json().path("detail").asText()).contains("did you mean \"maxFiles\"?");
        assertThat(server.post("/v1/tenants", "{}").code()).isEqualTo("http.missing-value");
        assertThat(server.post("/v1/tenants", "{\"id\":7}").code()).isEqualTo("http.invalid-value");
        assertThat(server.post("/v1/tenants", "{\"id\":\"" + "x".repeat(2 << 20) + "\"}").code())
                .isEqualTo("http.too-large");
        assertThat(server.get("/v1/tenants/default/files?staus=pending").json().path("detail").asText())
                .contains("did you mean \"status\"?");
    }

    @Test
    void quota_isSetSeenAndRemoved() {
        assertThat(server.call("PUT", "/v1/quotas", "{\"pattern\":\"default/in\",\"maxFiles\":1}").status())
                .isEqualTo(200);
        server.put("default", "a&dir=in", new byte[1]);
        assertThat(server.post("/v1/tenants/default/files?dir=in", "x", "Content-Type", "text/plain").code())
                .isEqualTo("pool.directory-quota-exceeded");
        JsonNode room = server.get("/v1/tenants/default/room?dir=in").json();
        assertThat(room.path("canAddFile").asBoolean()).isFalse();
        assertThat(room.path("rule").path("maxFiles").asInt()).isEqualTo(1);
        assertThat(names(server.get("/v1/tenants/default/directories").json().path("directories"), "directory"))
                .containsExactly("in");
        assertThat(server.post("/v1/tenants/default/recount", "").json().path("corrections")).isEmpty();
        assertThat(names(server.get("/v1/quotas").json().path("rules"), "pattern")).containsExactly("default/in");
        assertThat(server.call("DELETE", "/v1/quotas?pattern=default/in", "").status()).isEqualTo(204);
        assertThat(server.call("DELETE", "/v1/quotas?pattern=default/in", "").code())
                .isEqualTo("http.no-such-resource");
    }

    @Test
    void volume_isMountedDrainedAndUnmounted() {
        String path = directory.resolve("second").toString();
        assertThat(server.post("/v1/volumes", "{\"name\":\"second\",\"path\":\"" + path + "\"}").status())
                .isEqualTo(201);
        assertThat(server.post("/v1/volumes", "{\"name\":\"far\",\"path\":\"ether:far\"}").code())
                .isEqualTo("pool.invalid-setting");
        assertThat(server.post("/v1/volumes", "{\"name\":\"third\",\"path\":\"relative\"}").code())
                .isEqualTo("http.invalid-value");
        assertThat(names(server.get("/v1/volumes").json().path("volumes"), "name")).containsExactly("main", "second");
        assertThat(server.call("PATCH", "/v1/volumes/second", "{\"state\":\"read-only\"}").json().path("state")
                .asText()).isEqualTo("read-only");
        Answered changed = server.call("PATCH", "/v1/volumes/second", "{\"state\":\"spare\",\"headroom\":4711}");
        assertThat(changed.json().path("state").asText()).isEqualTo("spare");
        assertThat(changed.json().path("headroom").asLong()).isEqualTo(4711);
        assertThat(server.call("PATCH", "/v1/volumes/second", "{}").code()).isEqualTo("http.missing-value");
        assertThat(server.call("PATCH", "/v1/volumes/second", "{\"headroom\":-1}").code())
                .isEqualTo("http.invalid-value");
        assertThat(server.call("PATCH", "/v1/volumes/second", "{\"headroom\":0}").json().path("state").asText())
                .isEqualTo("spare");
        assertThat(server.call("PATCH", "/v1/volumes/second", "{\"state\":\"active\"}").status()).isEqualTo(200);
        Answered drain = server.post("/v1/volumes/second/drain", "");
        assertThat(drain.status()).isEqualTo(202);
        assertThat(drain.json().path("job").asText()).isEqualTo("drain-second");
        assertThat(server.post("/v1/volumes/probe", "").status()).isEqualTo(200);
        assertThat(server.post("/v1/volumes/sync", "").status()).isEqualTo(204);
        assertThat(server.post("/v1/volumes/recount", "").json().path("corrections").isArray()).isTrue();
        await().until(() -> server.call("DELETE", "/v1/volumes/second", "").status() == 204);
        assertThat(server.get("/v1/volumes/second").code()).isEqualTo("pool.volume-not-found");
    }

    @Test
    void volume_whenItIsLost_isGivenUpInAJob() throws Exception {
        Path path = directory.resolve("lost");
        assertThat(server.post("/v1/volumes", "{\"name\":\"lost\",\"path\":\"" + path + "\"}").status())
                .isEqualTo(201);
        assertThat(server.call("PATCH", "/v1/volumes/main", "{\"state\":\"read-only\"}").status()).isEqualTo(200);
        server.put("default", "a", new byte[100_000]);
        assertThat(names(server.get("/v1/tenants/default/files?volume=lost").json().path("files"), "name"))
                .containsExactly("a");
        assertThat(server.post("/v1/volumes/lost/give-up", "{\"dryRun\":false}").code())
                .isEqualTo("pool.invalid-setting");
        assertThat(server.post("/v1/volumes/lost/give-up", "{}").code()).isEqualTo("http.missing-value");
        Files.delete(path.resolve(".entrepot/volume"));
        assertThat(server.post("/v1/volumes/lost/give-up", "{\"dryRun\":true}").status()).isEqualTo(202);
        JsonNode dry = server.get("/v1/jobs/give-up-lost?wait=20s").json();
        assertThat(dry.path("report").path("tenants").path(0).path("files").asInt()).isEqualTo(1);
        assertThat(server.post("/v1/volumes/lost/give-up", "{\"dryRun\":false}").status()).isEqualTo(202);
        JsonNode done = server.get("/v1/jobs/give-up-lost?wait=20s").json();

        assertThat(done.path("state").asText()).isEqualTo("done");
        assertThat(done.path("report").path("bytes").asLong()).isEqualTo(100_000);
        assertThat(server.get("/v1/volumes/lost").code()).isEqualTo("pool.volume-not-found");
        assertThat(server.get("/v1/tenants/default/files").json().path("files")).isEmpty();
    }

    @Test
    void watcher_importsAndIsChangedAndRemoved() throws Exception {
        Path inbox = directory.resolve("inbox");
        String added = "{\"id\":\"in\",\"path\":\"" + inbox + "\",\"tenant\":\"default\",\"minFileAge\":\"1ms\"}";
        assertThat(server.post("/v1/watchers", added).status()).isEqualTo(201);
        assertThat(server.post("/v1/watchers", added).code()).isEqualTo("pool.invalid-setting");
        Files.writeString(inbox.resolve("one"), "one");
        await().until(() -> {
            server.post("/v1/watchers/in/scan", "");
            return server.get("/v1/watchers/in").json().path("importedFiles").asInt() == 1;
        });
        JsonNode changed = server.call("PATCH", "/v1/watchers/in",
                "{\"enabled\":false,\"afterImport\":\"keep\",\"marker\":\".done\"}").json();
        assertThat(changed.path("afterImport").asText()).isEqualTo("keep");
        assertThat(changed.path("tenant").asText()).isEqualTo("default");
        assertThat(server.call("PATCH", "/v1/watchers/in", "{\"afterImport\":\"move\"}").code())
                .isEqualTo("http.missing-value");
        assertThat(server.get("/v1/watchers/in/parked").json().path("parked")).isEmpty();
        assertThat(server.post("/v1/watchers/in/parked/retry", "{}").json().path("count").asInt()).isZero();
        assertThat(server.call("DELETE", "/v1/watchers/in", "").status()).isEqualTo(204);
        assertThat(server.get("/v1/watchers/in").code()).isEqualTo("pool.watcher-not-found");
    }

    @Test
    void job_isStartedSeenAndWaitedFor() {
        assertThat(names(server.get("/v1/jobs").json().path("jobs"), "job")).contains("cleanup", "scrub", "compact");
        Answered started = server.post("/v1/jobs", "{\"job\":\"check\",\"parameters\":{\"depth\":\"bytes\"}}");
        assertThat(started.status()).isEqualTo(202);
        JsonNode done = server.get("/v1/jobs/check?wait=20s").json();
        assertThat(done.path("state").asText()).isEqualTo("done");
        assertThat(done.path("report").path("sound").asBoolean()).isTrue();
        assertThat(server.post("/v1/cleanup", "{\"step\":\"all\",\"dryRun\":true}").status()).isEqualTo(202);
        assertThat(server.get("/v1/jobs/cleanup?wait=20s").json().path("report").path("dryRun").asBoolean()).isTrue();
        assertThat(server.post("/v1/jobs", "{\"job\":\"recount\"}").status()).isEqualTo(202);
        assertThat(server.get("/v1/jobs/recount?wait=20s").json().path("state").asText()).isEqualTo("done");
        assertThat(server.post("/v1/jobs", "{\"job\":\"nonsense\"}").code()).isEqualTo("pool.no-such-job");
        for (String job : List.of("recount", "scrub", "probe-volumes", "server-keys")) {
            assertThat(server.post("/v1/jobs", "{\"job\":\"" + job + "\",\"dryRun\":true}").code())
                    .isEqualTo("pool.no-dry-run");
        }
        assertThat(server.post("/v1/cleanup", "{\"step\":\"scrub\",\"dryRun\":true}").status()).isEqualTo(409);
        assertThat(server.post("/v1/jobs/scrub/pause", "").json().path("paused").asBoolean()).isTrue();
        assertThat(server.post("/v1/jobs/scrub/resume", "").json().path("paused").asBoolean()).isFalse();
        assertThat(server.post("/v1/jobs/scrub/cancel", "").status()).isEqualTo(200);
        assertThat(server.get("/v1/cleanup").status()).isEqualTo(200);
    }

    @Test
    void backup_byAName_goesBelowItsDirectoryAndNowhereElse() {
        assertThat(server.post("/v1/backups", "{\"name\":\"../out\"}").code()).isEqualTo("http.invalid-value");
        assertThat(server.post("/v1/backups", "{\"name\":\"one\"}").status()).isEqualTo(202);
        assertThat(server.get("/v1/jobs/backup?wait=20s").json().path("state").asText()).isEqualTo("done");
        assertThat(names(server.get("/v1/backups").json().path("backups"), "name")).containsExactly("one");
        assertThat(directory.resolve("data/backups/one")).isNotEmptyDirectory();
        assertThat(server.post("/v1/backups", "{\"name\":\"one\"}").code()).isEqualTo("pool.invalid-setting");
    }

    @Test
    void backup_byAPath_goesThere() {
        Path target = directory.resolve("elsewhere");
        String wanted = "{\"path\":\"" + target + "\"}";
        assertThat(server.post("/v1/backups", "{\"path\":\"relative\"}").code()).isEqualTo("http.invalid-value");
        assertThat(server.post("/v1/backups", "{}").code()).isEqualTo("http.missing-value");
        assertThat(server.post("/v1/backups", "{\"name\":\"one\",\"path\":\"" + target + "\"}").code())
                .isEqualTo("http.missing-value");
        assertThat(server.post("/v1/backups", wanted).status()).isEqualTo(202);
        assertThat(server.get("/v1/jobs/backup?wait=20s").json().path("state").asText()).isEqualTo("done");
        assertThat(target).isNotEmptyDirectory();
        assertThat(server.post("/v1/backups", wanted).code()).isEqualTo("pool.invalid-setting");
    }

    /** Who waits for a run is not told of another one that has begun since. */
    @Test
    void run_isKnownByItsBeginning_whateverHasRunSince() {
        String first = started("{\"job\":\"check\"}");
        assertThat(server.get("/v1/jobs/check?wait=20s&run=" + first).json().path("state").asText()).isEqualTo("done");
        String second = started("{\"job\":\"check\",\"parameters\":{\"depth\":\"files\"}}");
        assertThat(server.get("/v1/jobs/check?wait=20s&run=" + second).json().path("report").path("parts"))
                .hasSize(6);
        JsonNode seen = server.get("/v1/jobs/check?wait=20s&run=" + first).json();
        assertThat(seen.path("run").path("started").asText()).isEqualTo(first);
        assertThat(seen.path("report").path("parts")).hasSize(5);
        assertThat(server.post("/v1/jobs/check/cancel?run=" + first, "").status()).isEqualTo(200);
        assertThat(server.get("/v1/jobs/check?run=2020-01-01T00:00:00Z").code()).isEqualTo("http.no-such-resource");
        assertThat(server.post("/v1/jobs/check/cancel?run=2020-01-01T00:00:00Z", "").code())
                .isEqualTo("http.no-such-resource");
        assertThat(server.get("/v1/jobs/check?run=soon").code()).isEqualTo("http.invalid-value");
    }

    private String started(String job) {
        return server.post("/v1/jobs", job).json().path("run").path("started").asText();
    }

    @Test
    void cleanup_ofCompletedFilesThatAreKeptForEver_wantsAnAge() {
        assertThat(server.get("/v1/cleanup").json().has("completedRetention")).isFalse();
        assertThat(server.post("/v1/cleanup", "{\"step\":\"completed\"}").code()).isEqualTo("pool.invalid-setting");
        assertThat(server.post("/v1/cleanup", "{\"step\":\"completed\",\"olderThan\":\"1h\"}").status())
                .isEqualTo(202);
    }

    @Test
    void cleanup_ofOneTenant_purgesWhatItHasFailed() {
        for (String tenant : List.of("acme", "other")) {
            server.post("/v1/tenants", "{\"id\":\"" + tenant + "\"}");
            server.put(tenant, "a", new byte[3]);
            server.pool().work().failForGood(server.pool().work().claim(new TenantId(tenant), "w").orElseThrow()
                    .lease(), "no");
        }
        assertThat(server.post("/v1/cleanup",
                "{\"step\":\"permanently-failed\",\"olderThan\":\"0s\",\"tenant\":\"acme\"}").status())
                .isEqualTo(202);
        assertThat(server.get("/v1/jobs/cleanup-permanently-failed?wait=20s").json().path("report").path("counts")
                .path("permanentlyFailedFilesRemoved").asInt()).isEqualTo(1);
        assertThat(server.get("/v1/tenants/acme").json().path("usage").path("files").asInt()).isZero();
        assertThat(server.get("/v1/tenants/other").json().path("usage").path("files").asInt()).isEqualTo(1);
    }

    @Test
    void watcher_isLookedAtInAJob_andForATenantThatThereIs() {
        String path = directory.resolve("scanned").toString();
        assertThat(server.post("/v1/watchers", "{\"id\":\"in\",\"path\":\"" + path + "\",\"tenant\":\"nobody\"}")
                .code()).isEqualTo("pool.tenant-not-found");
        JsonNode added = server.post("/v1/watchers", "{\"id\":\"in\",\"path\":\"" + path
                + "\",\"tenant\":\"default\",\"enabled\":false}").json();
        assertThat(added.path("made").asBoolean()).isTrue();
        Answered scan = server.post("/v1/watchers/in/scans", "");
        assertThat(scan.status()).isEqualTo(202);
        assertThat(server.get("/v1/jobs/watch-in?wait=20s&run=" + scan.json().path("run").path("started").asText())
                .json().path("state").asText()).isEqualTo("done");
        assertThat(server.call("PATCH", "/v1/watchers/in", "{\"tenant\":\"nobody\"}").code())
                .isEqualTo("pool.tenant-not-found");
    }

    @Test
    void statistics_sumUp() {
        server.put("default", "a", new byte[7]);
        JsonNode figures = server.get("/v1/statistics").json();
        assertThat(figures.path("bytes").asInt()).isEqualTo(7);
        assertThat(figures.path("volumes").asInt()).isEqualTo(1);
        assertThat(server.get("/v1/recoveries").json().path("recoveries")).isEmpty();
    }

    @Test
    void address_whenThereIsNothing_isToldClearly() {
        assertThat(server.get("/v1/nothing").code()).isEqualTo("http.not-found");
        assertThat(server.get("/metrics").text()).as("it is counted too")
                .contains("entrepot_http_requests_seconds_count{operation=\"none\",status=\"404\"} 1");
        Answered wrong = server.call("PUT", "/v1/tenants/default/files", "{}");
        assertThat(wrong.code()).isEqualTo("http.method-not-allowed");
        assertThat(wrong.header("Allow")).isEqualTo("GET, HEAD, POST");
        assertThat(server.get("/v1/me", "X-Request-Id", "my-1").header("X-Request-Id")).isEqualTo("my-1");
        assertThat(server.get("/v1/me", "X-Request-Id", "a b\"c").header("X-Request-Id")).matches("[0-9a-f]{16}");
    }

    @Test
    void head_isWhatGetAnswers_withoutItsBody() {
        for (String path : List.of("/health/ready", "/v1/tenants", "/metrics", "/v1/docs")) {
            Answered got = server.get(path);
            Answered head = server.send("HEAD", path, server.admin(), BodyPublishers.noBody());
            assertThat(head.status()).as(path).isEqualTo(200);
            assertThat(head.bytes()).as(path).isEmpty();
            assertThat(head.header("Content-Type")).as(path).isEqualTo(got.header("Content-Type"));
            assertThat(head.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
        }
        assertThat(server.send("HEAD", "/v1/tenants/nosuch", server.admin(), BodyPublishers.noBody()).status())
                .isEqualTo(404);
        Answered events = server.send("HEAD", "/v1/events", server.admin(), BodyPublishers.noBody()); // ends
        assertThat(events.header("Content-Type")).startsWith("text/event-stream");
    }

    /** Many balancers ask by HEAD. */
    @Test
    void readiness_whenNoVolumeTakesFiles_is503WithTheReason_alsoByHead() throws IOException {
        Path files = directory.resolve("data/files");
        String content = "/v1/tenants/default/files/" + server.put("default", "a", new byte[3]) + "/content";
        String reader = server.key("tenant:default:read");
        Files.move(files, directory.resolve("away"));
        server.send("POST", "/v1/volumes/probe", server.admin(), BodyPublishers.noBody());
        await().untilAsserted(() -> {
            Answered ready = server.get("/health/ready");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text()).contains("none takes files");
        });
        assertThat(server.send("HEAD", "/health/ready", "", BodyPublishers.noBody()).status()).isEqualTo(503);
        assertThat(server.get(content).json().path("detail").asText()).contains(files.toString());
        Answered told = server.as(reader, "GET", content, "");
        assertThat(told.code()).isEqualTo("pool.volume-unavailable");
        assertThat(told.text()).as("paths are for administrators").doesNotContain(directory.toString());
        assertThat(server.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void readiness_whenOnlyASpareTakesFiles_isThere() {
        String path = directory.resolve("spare").toString();
        server.post("/v1/volumes", "{\"name\":\"spare\",\"path\":\"" + path + "\",\"spare\":true}");
        server.call("PATCH", "/v1/volumes/main", "{\"state\":\"read-only\"}");

        assertThat(server.get("/health/ready").status()).isEqualTo(200);
    }

    @Test
    void parameter_thatCanBeThereOnce_isRefusedTwice() {
        Answered twice = server.get("/v1/tenants/default/files?limit=1&limit=2");
        assertThat(twice.status()).isEqualTo(400);
        assertThat(twice.json().path("detail").asText()).contains("limit");
        assertThat(server.get("/v1/tenants/default/files?label=a=b&label=c=d").status())
                .as("of these there may be many").isEqualTo(200);
    }
}
