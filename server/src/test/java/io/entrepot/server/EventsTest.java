package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.config.Source;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Following what happens. */
class EventsTest {
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

    private HttpRequest request(String query, String key, String last) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.server().address() + "/v1/events"
                + query)).header("Authorization", "Bearer " + key);
        return (last.isEmpty() ? request : request.header("Last-Event-ID", last)).build();
    }

    /** Follows until so many events have come, and gives their subjects, and the last id. */
    private List<String> follow(String query, String key, String last, int count) throws Exception {
        HttpResponse<Stream<String>> response = TestServer.client().send(request(query, key, last),
                BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        List<String> subjects = new ArrayList<>();
        String id = "";
        try (Stream<String> lines = response.body()) {
            Iterator<String> each = lines.iterator();
            while (subjects.size() < count && each.hasNext()) {
                String line = each.next();
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    subjects.add(Answered.MAPPER.readTree(line.substring(6)).path("subject").asText());
                }
            }
        }
        subjects.add(id);
        return subjects;
    }

    @Test
    void follow_withTheLastId_goesOnExactlyThere() throws Exception {
        List<String> keys = IntStream.range(0, 6).mapToObj(i -> server.put("default", "f" + i, new byte[1])).toList();
        List<String> first = follow("?after=&type=file.written", server.admin(), "", 2);
        assertThat(first.subList(0, 2)).isEqualTo(keys.subList(0, 2));
        server.close();
        server = new TestServer(directory);
        List<String> rest = follow("?type=file.written", server.admin(), first.getLast(), 4);
        assertThat(rest.subList(0, 4)).isEqualTo(keys.subList(2, 6));
    }

    @Test
    void follow_fromNow_isToldWhatComes() throws Exception {
        server.put("default", "before", new byte[1]);
        HttpResponse<Stream<String>> response = TestServer.client().send(request("?type=file.*", server.admin(), ""),
                BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            Iterator<String> each = lines.iterator();
            assertThat(each.next()).isEqualTo("retry: 2000"); // it follows from here on
            String key = server.put("default", "after", new byte[1]);
            String line = each.next();
            while (!line.startsWith("data: ")) {
                line = each.next();
            }
            assertThat(line).contains(key).contains("file.written");
        }
    }

    @Test
    void follow_byATenantsKey_isToldOfThatTenantAlone() throws Exception {
        server.post("/v1/tenants", "{\"id\":\"acme\"}");
        String other = server.put("default", "x", new byte[1]);
        String own = server.put("acme", "y", new byte[1]);
        String key = server.key("tenant:acme:read");
        List<String> told = follow("?after=", key, "", 2);
        assertThat(told).contains(own).doesNotContain(other);
        assertThat(server.as(key, "GET", "/v1/events?tenant=default", "").code()).isEqualTo("pool.tenant-not-found");
    }

    /** The first ids that one who follows is told, with events or with signs of life. */
    private List<String> ids(String query, String key, String last, int count) throws Exception {
        try (Stream<String> lines = TestServer.client().send(request(query, key, last), BodyHandlers.ofLines())
                .body()) {
            return lines.filter(line -> line.startsWith("id: ")).map(line -> line.substring(4)).limit(count).toList();
        }
    }

    @Test
    void follow_byATenantsKey_saysNothingOfOthersDatabases_andGoesOnExactly() throws Exception {
        server.close();
        server = new TestServer(ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test",
                Map.of("directory", directory.toString(), "server.idle-timeout", "2s")))).value());
        server.post("/v1/tenants", "{\"id\":\"acme\",\"shard\":true}");
        server.post("/v1/tenants", "{\"id\":\"rival\",\"shard\":true}");
        server.put("rival", "r", new byte[1]);
        List<String> keys = IntStream.range(0, 3).mapToObj(i -> server.put("acme", "f" + i, new byte[1])).toList();
        String key = server.key("tenant:acme:read");
        assertThat(ids("", server.admin(), "", 1).getFirst()).contains("acme:", "main:", "rival:");

        List<String> first = follow("?after=&type=file.*", key, "", 2);
        assertThat(first.subList(0, 2)).isEqualTo(keys.subList(0, 2));
        List<String> rest = follow("?type=file.*", key, first.getLast(), 1);
        assertThat(rest.getFirst()).isEqualTo(keys.getLast());

        List<String> told = new ArrayList<>(List.of(first.getLast(), rest.getLast()));
        told.addAll(ids("", key, "", 1));
        told.addAll(ids("?type=volume.*", key, "acme:1,main:0,rival:1", 2)); // the second with a sign of life
        assertThat(told).hasSize(5).allMatch(id -> id.matches("acme:\\d+(,main:\\d+)?"));
    }

    @Test
    void follow_whenTheKeyIsRevoked_ends() throws Exception {
        String key = server.key("admin");
        HttpResponse<InputStream> response = TestServer.client().send(request("", key, ""),
                BodyHandlers.ofInputStream());
        server.call("DELETE", "/v1/keys/" + key.split("_", -1)[1], "");
        try (InputStream body = response.body()) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).startsWith("retry: 2000");
        }
        await().untilAsserted(() -> assertThat(server.as(key, "GET", "/v1/me", "").status()).isEqualTo(401));
    }

    @Test
    void follow_withNonsense_isRefused() {
        assertThat(server.get("/v1/events?after=nonsense").code()).isEqualTo("http.invalid-value");
        assertThat(server.get("/v1/events", "Last-Event-ID", "main:x").code()).isEqualTo("http.invalid-value");
    }

    /** What it was not told stays in the database: others, and the writers, do not wait for it. */
    @Test
    @EnabledIfSystemProperty(named = "slow.tests", matches = "true",
            disabledReason = "it takes long to fill the buffers of the system")
    void follow_whenAReaderStalls_othersGoOn_andItIsLetGo() throws Exception {
        try (TestServer hasty = new TestServer(ServerSettings
                .read(Optional.empty(), Map.of(), List.of(new Source("test",
                        Map.of("directory", directory.resolve("hasty").toString(), "server.idle-timeout", "2s"))))
                .value());
                Socket stalled = new Socket()) {
            stalled.setReceiveBufferSize(4096);
            stalled.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), hasty.port()));
            stalled.getOutputStream().write(("GET /v1/events?after= HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                    + hasty.admin() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            await().until(() -> hasty.server().underWay() == 1);
            String name = "n".repeat(200);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int i = 0; i < 300; i++) {
                        Future<?> _ = writers.submit(() -> hasty.pool().files().write(TenantId.DEFAULT,
                                NewFile.named(name), new byte[1]));
                    }
                }
                return hasty.server().underWay() == 0; // it read nothing, so its connection was closed
            });
            assertThat(hasty.get("/v1/tenants/default").json().path("usage").path("files").asInt()).isPositive();
        }
    }
}
