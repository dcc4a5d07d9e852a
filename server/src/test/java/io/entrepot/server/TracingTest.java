package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Requests as spans, as somebody receives them who gathers them. */
class TracingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String STORE = "POST /v1/tenants/{tenant}/files";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger("io.entrepot.server")).addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        ((Logger) LoggerFactory.getLogger("io.entrepot.server")).detachAppender(log);
    }

    private Path file(String endpoint, String more) throws Exception {
        return Files.writeString(directory.resolve("e.toml"), "directory = \"data\"\n[server.tracing]\nendpoint = \""
                + endpoint + "\"\nsend-every = \"50ms\"\n" + more);
    }

    private List<String> warnings() {
        return log.list.stream().filter(event -> event.getLevel().toString().equals("WARN"))
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void request_isASpanOfTheCallersTrace_withWhatThePoolDidBelow() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver(0);
                TestServer server = TestServer.by(file(receiver.url(), """
                                                                       service-name = "files"
                                                                       attributes = ["zone=eu"]
                                                                       headers = ["x-key=hush"]
                                                                       """))) {
            Answered stored = server.post("/v1/tenants/default/files?name=mrs-miller.pdf", "text", "Content-Type",
                    "text/plain", "traceparent", "00-" + TRACE + "-" + SPAN + "-01", "tracestate", "a=1",
                    "X-Request-Id", "request-1");
            assertThat(stored.status()).isEqualTo(201);
            await().atMost(PATIENCE).until(() -> !receiver.spans(STORE).isEmpty());

            JsonNode span = receiver.spans(STORE).getFirst();
            assertThat(span.path("traceId").asText()).isEqualTo(TRACE);
            assertThat(span.path("parentSpanId").asText()).isEqualTo(SPAN);
            assertThat(span.path("traceState").asText()).isEqualTo("a=1");
            assertThat(span.path("kind").asInt()).isEqualTo(2);
            assertThat(TraceReceiver.attribute(span, "http.route")).isEqualTo("/v1/tenants/{tenant}/files");
            assertThat(TraceReceiver.attribute(span, "http.request.method")).isEqualTo("POST");
            assertThat(TraceReceiver.attribute(span, "http.response.status_code")).isEqualTo("201");
            assertThat(TraceReceiver.attribute(span, "entrepot.tenant")).isEqualTo("default");
            assertThat(TraceReceiver.attribute(span, "entrepot.request_id")).isEqualTo("request-1");
            assertThat(TraceReceiver.attribute(span, "entrepot.operation")).isEqualTo("storeFile");
            long begun = span.path("startTimeUnixNano").asLong();
            long ended = span.path("endTimeUnixNano").asLong();
            assertThat(ended).isGreaterThan(begun);

            JsonNode write = receiver.spans("pool write").getFirst();
            assertThat(write.path("traceId").asText()).isEqualTo(TRACE);
            assertThat(write.path("parentSpanId").asText()).isEqualTo(span.path("spanId").asText());
            assertThat(write.path("startTimeUnixNano").asLong()).isBetween(begun, ended);
            assertThat(write.path("endTimeUnixNano").asLong()).isBetween(begun, ended);

            TraceReceiver.Received came = receiver.all().getFirst();
            assertThat(came.path()).isEqualTo("/v1/traces");
            assertThat(came.type()).isEqualTo("application/json");
            assertThat(came.key()).isEqualTo("hush");
            JsonNode resource = came.body().path("resourceSpans").path(0).path("resource");
            assertThat(TraceReceiver.attribute(resource, "service.name")).isEqualTo("files");
            assertThat(TraceReceiver.attribute(resource, "zone")).isEqualTo("eu");
            assertThat(receiver.all().toString()).doesNotContain("miller").doesNotContain(server.admin());
        }
    }

    @Test
    void request_withoutATrace_beginsOne_andTheLogHasIt() throws Exception {
        Path file = file("http://127.0.0.1:1/v1/traces", "");
        try (TraceReceiver receiver = new TraceReceiver(0);
                TestServer server = TestServer.by(Files.writeString(file, "directory = \"data\"\n[server]\n"
                        + "log-requests = true\n[server.tracing]\nsend-every = \"50ms\"\nendpoint = \""
                        + receiver.url() + "\"\n"))) {
            ((Logger) LoggerFactory.getLogger("io.entrepot.server")).setLevel(ch.qos.logback.classic.Level.INFO);
            assertThat(server.get("/v1/tenants/nobody", "X-Request-Id", "request-2").status()).isEqualTo(404);
            await().atMost(PATIENCE).until(() -> !receiver.spans("GET /v1/tenants/{tenant}").isEmpty());
            JsonNode span = receiver.spans("GET /v1/tenants/{tenant}").getFirst();
            assertThat(span.has("parentSpanId")).isFalse();
            assertThat(TraceReceiver.attribute(span, "entrepot.outcome")).isEqualTo("pool.tenant-not-found");
            assertThat(TraceReceiver.attribute(span, "error.type")).isEqualTo("pool.tenant-not-found");
            assertThat(span.path("status")).as("not our fault").isEmpty();
            ILoggingEvent line = log.list.stream().filter(event -> "request-2".equals(event.getMDCPropertyMap()
                    .get("request"))).findFirst().orElseThrow();
            assertThat(line.getMDCPropertyMap()).containsEntry("trace", span.path("traceId").asText());
        } finally {
            ((Logger) LoggerFactory.getLogger("io.entrepot.server")).setLevel(null);
        }
    }

    @Test
    void caller_decidesWhetherItsTraceIsRecorded_unlessNotTrusted() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver(0);
                TestServer server = TestServer.by(file(receiver.url(), "sample = 0\n"))) {
            server.get("/v1/me");
            server.get("/v1/keys", "traceparent", "00-" + TRACE + "-" + SPAN + "-00");
            server.get("/v1/volumes", "traceparent", "00-" + TRACE + "-" + SPAN + "-01");
            await().atMost(PATIENCE).until(() -> !receiver.spans("GET /v1/volumes").isEmpty());
            assertThat(receiver.spans()).hasSize(1);

            file(receiver.url(), "sample = 1\nfollow-caller = false\n");
            assertThat(server.post("/v1/config/reload", "").status()).isEqualTo(200);
            server.get("/v1/keys", "traceparent", "00-" + TRACE + "-" + SPAN + "-00");
            await().atMost(PATIENCE).until(() -> !receiver.spans("GET /v1/keys").isEmpty());
        }
    }

    /** Nothing waits for the receiver, and nobody is told more than once. */
    @Test
    void receiver_whenItIsDown_slowsNothing_andIsOneWarning() throws Exception {
        int port;
        try (TraceReceiver gone = new TraceReceiver(0)) {
            port = gone.port();
        }
        try (TestServer server = TestServer.by(file("http://127.0.0.1:" + port + "/v1/traces", ""))) {
            assertThat(server.get("/v1/me").status()).isEqualTo(200);
            await().atMost(PATIENCE).until(() -> !warnings().isEmpty());
            long began = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                assertThat(server.get("/v1/me").status()).isEqualTo(200);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PATIENCE);
            assertThat(warnings()).hasSize(1).first().asString().contains("traces are not taken by http://127.0.0.1:"
                    + port);

            try (TraceReceiver back = new TraceReceiver(port)) {
                await().atMost(PATIENCE).until(() -> {
                    server.get("/v1/volumes");
                    return !back.spans("GET /v1/volumes").isEmpty();
                });
            }
            assertThat(warnings()).hasSize(1);
        }
    }

    @Test
    void receiver_whenItRefuses_isOneWarning() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver(0);
                TestServer server = TestServer.by(file(receiver.url(), ""))) {
            receiver.answer(400);
            for (int i = 1; i <= 3; i++) {
                int batches = i;
                server.get("/v1/me");
                await().atMost(PATIENCE).until(() -> receiver.all().size() >= batches);
            }
            await().atMost(PATIENCE).until(() -> !warnings().isEmpty());
            assertThat(warnings()).hasSize(1).first().asString().contains("it answered 400");
        }
    }

    @Test
    void stop_sendsWhatIsLeft() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver(0)) {
            Path file = file(receiver.url(), "");
            Files.writeString(file, Files.readString(file).replace("50ms", "10m"));
            try (TestServer server = TestServer.by(file)) {
                server.get("/v1/me");
            }
            assertThat(receiver.spans("GET /v1/me")).hasSize(1);
        }
    }

    @Test
    void reload_switchesItOnAndOff() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver(0)) {
            Path file = Files.writeString(directory.resolve("e.toml"), "directory = \"data\"\n");
            try (TestServer server = TestServer.by(file)) {
                server.get("/v1/me");
                file(receiver.url(), "");
                assertThat(server.post("/v1/config/reload", "").status()).isEqualTo(200);
                server.get("/v1/volumes");
                await().atMost(PATIENCE).until(() -> !receiver.spans("GET /v1/volumes").isEmpty());
                Files.writeString(file, "directory = \"data\"\n");
                assertThat(server.post("/v1/config/reload", "").status()).isEqualTo(200);
                server.get("/v1/keys");
            }
            assertThat(receiver.spans("GET /v1/me")).isEmpty();
            assertThat(receiver.spans("GET /v1/keys")).isEmpty();
        }
    }
}
