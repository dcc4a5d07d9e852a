package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.lab.Crowd;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration read again while the server runs. */
class ReloadTest {
    private static final String RELOAD = "/v1/config/reload";
    private static final String FIRST = """
                                        directory = "data"
                                        [server]
                                        max-upload = "100B"
                                        """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path file() {
        return directory.resolve("e.toml");
    }

    private Path write(String text) {
        try {
            Path next = Files.writeString(Files.createTempFile(directory, "e", ".next"), text);
            return Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TestServer serve() {
        return TestServer.by(write(FIRST));
    }

    private static int put(TestServer server, int size) {
        return server.post("/v1/tenants/default/files", "x".repeat(size), "Content-Type", "text/plain").status();
    }

    private static List<String> settings(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(one -> one.path("setting").asText() + " "
                + one.path("from").asText() + " " + one.path("to").asText() + " " + one.path("needs").asText())
                .toList();
    }

    @Test
    void reload_takesWhatItCanAtOnce_andNamesWhatNeedsARestart() {
        try (TestServer server = serve()) {
            assertThat(put(server, 200)).isEqualTo(413);
            write("""
                  directory = "elsewhere"
                  [retry]
                  attempts = 9
                  [cleanup]
                  every = "7m"
                  [[tenant]]
                  id = "acme"
                  [server]
                  host = "0.0.0.0"
                  max-upload = "1KiB"
                  """);
            JsonNode told = server.post(RELOAD, "").json();
            assertThat(settings(told.path("changed"))).containsExactlyInAnyOrder("retry.attempts 3 9 reload",
                    "cleanup.every \"1h\" \"7m\" reload", "server.max-upload \"100B\" \"1KiB\" reload");
            assertThat(settings(told.path("waiting"))).containsExactlyInAnyOrder(
                    "directory \"" + directory.resolve("data") + "\" \"" + directory.resolve("elsewhere")
                            + "\" restart",
                    "server.host \"127.0.0.1\" \"0.0.0.0\" restart", "tenant 0 entries 1 entry once");
            assertThat(put(server, 200)).isEqualTo(201);
            assertThat(server.pool().jobs().get(new JobName("cleanup")).schedule())
                    .isEqualTo(Schedule.every(Duration.ofMinutes(7)));
            assertThat(server.pool().tenants().find(new TenantId("acme"))).isEmpty();
            assertThat(server.server().config().pool().directory()).isEqualTo(directory.resolve("data"));

            JsonNode again = server.post(RELOAD, "").json();
            assertThat(again.path("changed")).isEmpty();
            assertThat(again.path("waiting")).hasSize(3);
        }
    }

    @Test
    void reload_whenSomethingIsWrong_changesNothingAndTellsAll() {
        try (TestServer server = serve()) {
            write(FIRST.replace("100B", "1KiB") + "prot = 7\nmax-wait = \"soon\"\n[retry]\nattempts = 0\n");
            Answered refused = server.post(RELOAD, "");
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.code()).isEqualTo("config.invalid");
            assertThat(refused.json().path("mistakes")).hasSize(3).extracting(JsonNode::asText).satisfiesExactly(
                    one -> assertThat(one).contains("e.toml:4: server.prot: unknown key; did you mean server.port?"),
                    two -> assertThat(two).contains("e.toml:5: server.max-wait"),
                    three -> assertThat(three).contains("e.toml:7: retry.attempts"));
            assertThat(put(server, 200)).isEqualTo(413);

            write("not toml");
            assertThat(server.post(RELOAD, "").status()).isEqualTo(422);
            write(FIRST.replace("100B", "1KiB"));
            assertThat(server.post(RELOAD, "").status()).isEqualTo(200);
            assertThat(put(server, 200)).isEqualTo(201);
            assertThat(server.get("/v1/audit?action=reloadConfig").json().path("entries"))
                    .extracting(entry -> entry.path("outcome").asText())
                    .containsExactly("ok", "config.invalid", "config.invalid");
        }
    }

    /** Each of these is read at its own place; all change with the one reload. */
    @Test
    void reload_reachesLimitsAndHeaders() {
        try (TestServer server = serve()) {
            String key = server.key("tenant:default:read");
            String origin = "https://page.example";
            assertThat(server.get("/v1/me", "Origin", origin).header("Access-Control-Allow-Origin")).isEmpty();
            write(FIRST + "requests-per-second = 1\nfailures-per-minute = 1\ncors-origins = [\"" + origin + "\"]\n"
                    + "max-event-streams = 1\nmax-header = \"1KiB\"\n");
            assertThat(server.post(RELOAD, "").json().path("changed")).hasSize(5);

            assertThat(server.get("/health/live", "Origin", origin).header("Access-Control-Allow-Origin"))
                    .isEqualTo(origin);
            assertThat(IntStream.range(0, 4).map(_ -> server.as(key, "GET", "/v1/me", "").status())).contains(429);
            assertThat(IntStream.range(0, 4).map(_ -> server.as("", "GET", "/v1/me", "").status())).contains(401, 429);
        }
    }

    @Test
    void reload_ofASecret_tellsThatItChangedAndNotWhatItIs() {
        write(FIRST + "[server.tracing]\nheaders = [\"key=hush\"]\n");
        try (TestServer server = TestServer.by(file())) {
            write(FIRST + "[server.tracing]\nheaders = [\"key=hush hush\"]\n");
            Answered told = server.post(RELOAD, "");
            assertThat(settings(told.json().path("changed"))).containsExactly(
                    "server.tracing.headers \"***\" \"***\" reload");
            assertThat(told.text()).doesNotContain("hush");
        }
    }

    /** Two settings that always change together are never seen apart, whoever reloads and however often. */
    @Test
    void reload_byManyAtOnce_isNeverHalfDone() throws Exception {
        String one = FIRST + "max-wait = \"1s\"\nmax-event-streams = 1\n";
        String two = FIRST + "max-wait = \"2s\"\nmax-event-streams = 2\n";
        write(one);
        try (TestServer server = TestServer.by(file())) {
            AtomicBoolean over = new AtomicBoolean();
            Set<String> seen = ConcurrentHashMap.newKeySet();
            Crowd<Boolean> looking = Crowd.start(1, _ -> {
                while (!over.get()) {
                    ServerConfig now = server.server().config();
                    seen.add(now.maxWait() + " " + now.maxStreams());
                }
                return true;
            });
            Crowd<Boolean> reloading = Crowd.start(4, caller -> {
                for (int i = 0; i < 10; i++) {
                    write((caller + i) % 2 == 0 ? one : two);
                    assertThat(server.post(RELOAD, "").status()).isEqualTo(200);
                }
                return true;
            });
            assertThat(reloading.results()).hasSize(4);
            over.set(true);
            assertThat(looking.results()).hasSize(1);
            assertThat(seen).isSubsetOf("PT1S 1", "PT2S 2").contains("PT1S 1");
        }
    }

    @Test
    void reload_ofAServerThatWasMadeInCode_findsNothingToDo() {
        try (TestServer server = new TestServer(directory.resolve("data"))) {
            JsonNode told = server.post(RELOAD, "").json();
            assertThat(told.path("changed")).isEmpty();
            assertThat(told.path("waiting")).isEmpty();
        }
    }
}
