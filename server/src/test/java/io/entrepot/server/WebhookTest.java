package io.entrepot.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.config.Source;
import io.entrepot.lab.PostgresServer;
import io.entrepot.lab.PrivateAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Webhooks, with receivers that are real HTTP servers. */
class WebhookTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    private final List<AutoCloseable> open = new ArrayList<>();
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = keep(new TestServer(config(Map.of())));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T keep(T part) {
        open.add(part);
        return part;
    }

    private ServerConfig config(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(Map.of("directory", directory.resolve("data").toString(),
                "server.webhooks.allow-local", true, "server.webhooks.first-delay", "20ms",
                "server.webhooks.longest-delay", "100ms", "server.webhooks.attempts", 3,
                "server.webhooks.timeout", "1s"));
        all.putAll(more);
        return ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", all))).value();
    }

    private void restart(Map<String, Object> more) {
        open.remove(server);
        server.close();
        server = keep(new TestServer(config(more)));
    }

    private JsonNode create(String url, String more) {
        Answered made = server.post("/v1/webhooks", "{\"name\":\"test\",\"url\":\"" + url + "\"" + more + "}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.json();
    }

    private JsonNode webhook(JsonNode made) {
        return server.get(path(made)).json();
    }

    private static String path(JsonNode made) {
        return "/v1/webhooks/" + made.path("id").asText();
    }

    private JsonNode letters(JsonNode made) {
        return server.get(path(made) + "/dead-letters").json().path("deadLetters");
    }

    private List<String> put(int count) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(server.put("default", "f" + i, new byte[1]));
        }
        return keys;
    }

    private static List<String> subjects(List<Receiver.Received> some) {
        return some.stream().map(Receiver.Received::subject).toList();
    }

    private static void assertSigned(Receiver.Received message, String secret) throws Exception {
        String time = message.signature().replaceFirst("^t=(\\d+),v1=[0-9a-f]{64}$", "$1");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal((time + "." + message.body()).getBytes(UTF_8)));
        assertThat(message.signature()).isEqualTo("t=" + time + ",v1=" + expected);
        assertThat(Math.abs(Long.parseLong(time) - System.currentTimeMillis() / 1000)).isLessThan(60);
    }

    /** What is trusted is what Java trusts, so that is what is changed here. */
    private static void trusting(PrivateAuthority authority, Callable<?> test) throws Exception {
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(authority.trusting());
        try {
            test.call();
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    void events_areSentByHttpsToWhomIsTrusted() throws Exception {
        PrivateAuthority authority = new PrivateAuthority(directory);
        Receiver receiver = keep(new Receiver(PrivateAuthority.server(authority.issue("ip:127.0.0.1"))));
        trusting(authority, () -> {
            JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"]");
            List<String> keys = put(3);
            await().until(() -> receiver.all().size() >= 3);
            assertThat(subjects(receiver.all())).isEqualTo(keys);
            assertSigned(receiver.all().getFirst(), made.path("secret").asText());
            return made;
        });
    }

    @Test
    void receiver_whenItsCertificateIsNotTrusted_isToldNothingAndTriedAgain() throws Exception {
        PrivateAuthority authority = new PrivateAuthority(directory);
        Receiver stranger = keep(new Receiver(PrivateAuthority.server(authority.issue("ip:127.0.0.1"))));
        JsonNode made = create(stranger.url(), ",\"types\":[\"file.written\"]");
        put(1);
        await().until(() -> letters(made).size() == 1);
        assertThat(letters(made).path(0).path("attempts").asInt()).isEqualTo(3);
        assertThat(letters(made).path(0).path("error").asText())
                .isEqualTo("its certificate is not of an authority that is trusted here");
        assertThat(webhook(made).path("lastError").asText()).contains("certificate");
        assertThat(stranger.all()).isEmpty();
    }

    @Test
    void receiver_whenItsCertificateIsForAnotherName_isToldNothing() throws Exception {
        PrivateAuthority authority = new PrivateAuthority(directory);
        Receiver stranger = keep(new Receiver(PrivateAuthority.server(authority.issue("dns:elsewhere.example"))));
        trusting(authority, () -> {
            JsonNode made = create(stranger.url(), ",\"types\":[\"file.written\"]");
            put(1);
            await().until(() -> letters(made).size() == 1);
            return assertThat(letters(made).path(0).path("error").asText())
                    .isEqualTo("its certificate is for another name");
        });
        assertThat(stranger.all()).isEmpty();
    }

    @Test
    void events_areSentInOrderAndSigned_andOnlyThoseThatAreWanted() throws Exception {
        Receiver receiver = keep(new Receiver());
        put(2);
        server.post("/v1/tenants", "{\"id\":\"other\"}");
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"],\"tenants\":[\"default\"]");
        server.put("other", "x", new byte[1]);
        List<String> keys = put(20);
        await().until(() -> receiver.all().size() >= 20);
        server.put("other", "x", new byte[1]);

        assertThat(subjects(receiver.all())).isEqualTo(keys);
        for (Receiver.Received message : receiver.all()) {
            assertSigned(message, made.path("secret").asText());
            assertThat(message.json().path("type").asText()).isEqualTo("file.written");
            assertThat(message.json().path("id").asText()).isEqualTo(message.id());
            assertThat(message.webhook()).isEqualTo(made.path("id").asText());
            assertThat(message.path()).isEqualTo("/hook");
        }
        assertThat(new HashSet<>(receiver.all().stream().map(Receiver.Received::id).toList())).hasSize(20);
        await().until(() -> webhook(made).path("state").asText().equals("up-to-date"));
        assertThat(webhook(made).path("delivered").asInt()).isEqualTo(20);
        assertThat(webhook(made).has("lastSuccess")).isTrue();
        assertThat(webhook(made).path("lag").asInt()).isZero();
    }

    @Test
    void event_whenItIsNotTaken_isSentAgainBeforeTheNext() {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        Receiver receiver = keep(new Receiver().answering(it -> refused.add(it.id()) ? 500 : 200));
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.*\"]");
        List<String> keys = put(3);
        await().until(() -> receiver.taken().size() == 3);
        List<String> twice = keys.stream().flatMap(key -> Stream.of(key, key)).toList();
        assertThat(subjects(receiver.all())).isEqualTo(twice);
        assertThat(receiver.all().stream().map(Receiver.Received::attempt).toList())
                .containsExactly("1", "2", "1", "2", "1", "2");
        assertThat(receiver.all().get(0).id()).isEqualTo(receiver.all().get(1).id());
        assertThat(webhook(made).path("lastError").asText()).isEqualTo("it answered 500");
        assertThat(letters(made)).isEmpty();
    }

    @Test
    void event_whenItFailsTooOften_isADeadLetterThatCanBeTriedAgainOrDropped() {
        Set<String> bad = ConcurrentHashMap.newKeySet();
        Receiver receiver = keep(new Receiver().answering(it -> bad.contains("all") ? 503 : 200));
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"]");
        bad.add("all");
        List<String> keys = put(4);
        await().until(() -> letters(made).size() == 4);
        assertThat(receiver.all()).hasSize(12);
        assertThat(letters(made).path(0).path("attempts").asInt()).isEqualTo(3);
        assertThat(letters(made).path(0).path("error").asText()).isEqualTo("it answered 503");

        String first = letters(made).path(0).path("number").asText();
        assertThat(server.post(path(made) + "/dead-letters/" + first + "/replay", "").status()).isEqualTo(202);
        await().until(() -> letters(made).path(0).path("attempts").asInt() == 4
                && !letters(made).path(0).path("replaying").asBoolean());
        bad.clear();
        assertThat(server.post(path(made) + "/dead-letters/" + first + "/replay", "").json().path("count").asInt())
                .isEqualTo(1);
        await().until(() -> letters(made).size() == 3);
        assertThat(subjects(receiver.taken())).containsExactly(keys.getFirst());

        String second = letters(made).path(0).path("number").asText();
        assertThat(server.call("DELETE", path(made) + "/dead-letters/" + second, "").status()).isEqualTo(204);
        assertThat(server.call("DELETE", path(made) + "/dead-letters/" + second, "").code())
                .isEqualTo("http.no-such-resource");
        assertThat(server.post(path(made) + "/dead-letters/replay", "").json().path("count").asInt()).isEqualTo(2);
        await().until(() -> letters(made).isEmpty());
        assertThat(subjects(receiver.taken())).containsExactly(keys.get(0), keys.get(2), keys.get(3));
        assertThat(webhook(made).path("delivered").asInt()).isEqualTo(3);
        assertThat(server.call("DELETE", path(made) + "/dead-letters", "").json().path("count").asInt()).isZero();
    }

    @Test
    void deadLetters_whenThereAreTooMany_loseTheOldest() {
        restart(Map.of("server.webhooks.attempts", 1, "server.webhooks.dead-letters", 2));
        Receiver receiver = keep(new Receiver().answering(_ -> 500));
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"]");
        List<String> keys = put(4);
        await().until(() -> receiver.all().size() == 4 && webhook(made).path("lag").asInt() == 0);
        assertThat(letters(made)).hasSize(2);
        assertThat(letters(made).path(0).path("message").asText()).contains(keys.get(2));
        assertThat(letters(made).path(1).path("message").asText()).contains(keys.get(3));
        assertThat(webhook(made).path("deadLetters").asInt()).isEqualTo(2);
    }

    /** An answer without end does not fill the memory, and its status counts. */
    @Test
    void answer_whenItHasNoEnd_isBrokenOff() throws Exception {
        try (ServerSocket endless = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                try (Socket socket = endless.accept()) {
                    OutputStream out = socket.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".getBytes(UTF_8));
                    while (true) {
                        out.write(new byte[8192]);
                    }
                } catch (IOException e) {
                    // broken off
                }
            });
            JsonNode made = create("http://127.0.0.1:" + endless.getLocalPort() + "/", ",\"enabled\":false");
            assertThat(server.post(path(made) + "/ping", "").json().path("taken").asBoolean()).isTrue();
        }
    }

    @Test
    void server_whenRestarted_goesOnWhereItWas() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        restart(Map.of("server.webhooks.attempts", 1000));
        JsonNode made = create("http://127.0.0.1:" + port + "/", ",\"types\":[\"file.written\"]");
        List<String> keys = new ArrayList<>(put(3));
        await().until(() -> webhook(made).path("attempts").asInt() >= 2);
        assertThat(webhook(made).path("lastError").asText()).isEqualTo("it cannot be reached");
        assertThat(webhook(made).path("state").asText()).isEqualTo("retrying");
        restart(Map.of("server.webhooks.attempts", 1000));
        assertThat(webhook(made).path("attempts").asInt()).isGreaterThanOrEqualTo(2);
        keys.addAll(put(2));
        Receiver receiver = keep(new Receiver(port));
        await().until(() -> receiver.all().size() == 5);
        assertThat(subjects(receiver.all())).isEqualTo(keys);
        assertThat(Integer.parseInt(receiver.all().getFirst().attempt())).isGreaterThan(2);
        await().until(() -> webhook(made).path("delivered").asInt() == 5);
        restart(Map.of());
        keys.addAll(put(1));
        await().until(() -> receiver.all().size() >= 6);
        assertThat(subjects(receiver.all())).isEqualTo(keys);
        assertSigned(receiver.all().getLast(), made.path("secret").asText());
    }

    @Test
    void receiver_whenItHangs_holdsUpNobodyElse() {
        Receiver hanging = keep(new Receiver().answering(_ -> Receiver.HANG));
        Receiver good = keep(new Receiver());
        JsonNode stuck = create(hanging.url(), "");
        create(good.url(), ",\"types\":[\"file.written\"]");
        put(1);
        await().until(() -> !hanging.all().isEmpty() || !good.all().isEmpty());
        List<String> keys = put(5);
        await().until(() -> good.all().size() == 6);
        assertThat(subjects(good.all()).subList(1, 6)).isEqualTo(keys);
        await().until(() -> webhook(stuck).path("lastError").asText().equals("it did not answer within 1000 ms"));
    }

    @Test
    void webhook_whenDisabled_isToldNothingUntilItIsEnabled() {
        Receiver receiver = keep(new Receiver());
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"],\"enabled\":false");
        List<String> keys = put(2);
        assertThat(webhook(made).path("state").asText()).isEqualTo("disabled");
        assertThat(webhook(made).path("lag").asInt()).isPositive();
        assertThat(receiver.all()).isEmpty();
        assertThat(server.call("PATCH", path(made), "{\"enabled\":true,\"name\":\"new\"}").json().path("name").asText())
                .isEqualTo("new");
        await().until(() -> receiver.all().size() == 2);
        assertThat(subjects(receiver.all())).isEqualTo(keys);
        assertThat(server.call("DELETE", path(made), "").status()).isEqualTo(204);
        assertThat(server.get(path(made)).code()).isEqualTo("http.no-such-resource");
    }

    @Test
    void webhook_fromTheBeginning_isToldWhatWasBefore() {
        Receiver receiver = keep(new Receiver());
        List<String> keys = put(2);
        create(receiver.url(), ",\"types\":[\"file.written\"],\"after\":\"\"");
        await().until(() -> receiver.all().size() == 2);
        assertThat(subjects(receiver.all())).isEqualTo(keys);
    }

    @Test
    void secret_isToldOnceAndNeverLogged() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger("io.entrepot");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Level before = root.getLevel();
        lines.start();
        root.setLevel(Level.DEBUG);
        root.addAppender(lines);
        try {
            Receiver receiver = keep(new Receiver().answering(_ -> 500));
            JsonNode made = create(receiver.url() + "?token=hidden", ",\"types\":[\"file.written\"]");
            put(1);
            await().until(() -> letters(made).size() == 1);
            String old = made.path("secret").asText();
            assertThat(server.get(path(made)).text()).doesNotContain(old).doesNotContain("secret");
            assertThat(server.get("/v1/webhooks").text()).doesNotContain(old);
            assertThat(server.get("/v1/audit").text()).doesNotContain(old);
            String renewed = server.post(path(made) + "/secret", "").json().path("secret").asText();
            assertThat(renewed).isNotEqualTo(old).startsWith("whsec_");
            receiver.answering(_ -> 200);
            put(1);
            await().until(() -> receiver.taken().size() == 1);
            assertSigned(receiver.taken().getFirst(), renewed);
            assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList())
                    .noneMatch(line -> line.contains(old) || line.contains(renewed) || line.contains("hidden"))
                    .anyMatch(line -> line.contains("is given up"));
        } finally {
            root.detachAppender(lines);
            root.setLevel(before);
        }
    }

    @Test
    void ping_tellsWhatTheReceiverSays() throws Exception {
        Receiver receiver = keep(new Receiver());
        JsonNode made = create(receiver.url(), ",\"enabled\":false");
        JsonNode ping = server.post(path(made) + "/ping", "").json();
        assertThat(ping.path("taken").asBoolean()).isTrue();
        assertThat(ping.path("status").asInt()).isEqualTo(204);
        assertThat(receiver.all().getFirst().json().path("type").asText()).isEqualTo("webhook.ping");
        assertSigned(receiver.all().getFirst(), made.path("secret").asText());
        receiver.answering(_ -> 418);
        assertThat(server.post(path(made) + "/ping", "").json().path("error").asText()).isEqualTo("it answered 418");
    }

    @Test
    void redirect_isNotFollowed() {
        Receiver inner = keep(new Receiver());
        Receiver outer = keep(new Receiver().redirectingTo(inner.url()));
        JsonNode made = create(outer.url(), "");
        assertThat(server.post(path(made) + "/ping", "").json().path("error").asText()).isEqualTo("it answered 307");
        assertThat(inner.all()).isEmpty();
    }

    @Test
    void target_onThisMachine_isRefusedUnlessAllowed() {
        Receiver receiver = keep(new Receiver());
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"]");
        restart(Map.of("server.webhooks.allow-local", false));
        for (String url : List.of(receiver.url(), "http://localhost/", "http://[::1]/", "http://169.254.169.254/latest",
                "http://0.0.0.0/", "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://2130706433/")) {
            Answered answer = server.post("/v1/webhooks", "{\"name\":\"x\",\"url\":\"" + url + "\"}");
            assertThat(answer.status()).as(url).isEqualTo(400);
        }
        put(1);
        await().until(() -> letters(made).size() == 1);
        assertThat(letters(made).path(0).path("error").asText()).contains("allow-local");
        assertThat(receiver.all()).isEmpty();
    }

    @Test
    void webhook_whoseTargetIsRefusedByNow_canStillBeChanged() {
        JsonNode made = create("http://127.0.0.1:9/", "");
        restart(Map.of("server.webhooks.allow-local", false));
        assertThat(server.post(path(made) + "/secret", "").status()).isEqualTo(200);
        assertThat(server.call("PATCH", path(made), "{\"url\":\"http://127.0.0.1:10/\"}").status()).isEqualTo(400);
        assertThat(server.call("PATCH", path(made), "{\"enabled\":false}").json().path("state").asText())
                .isEqualTo("disabled");
    }

    @Test
    void webhook_whenItIsWrong_isRefusedClearly() {
        for (String url : List.of("ftp://example.org/", "example.org", "http://user:pw@example.org/", "http:///x",
                "http://example.org/#x", "file:///etc/passwd", "http://exa mple/")) {
            Answered answer = server.post("/v1/webhooks", "{\"name\":\"x\",\"url\":\"" + url + "\"}");
            assertThat(answer.code()).as(url).isEqualTo("http.invalid-value");
        }
        assertThat(server
                .post("/v1/webhooks", "{\"name\":\"x\",\"url\":\"http://example.org/\",\"types\":[\"file.writen\"]}")
                .json().path("detail").asText()).contains("did you mean \"file.written\"?");
        assertThat(server.get("/v1/webhooks").json().path("webhooks")).isEmpty();
    }

    /** One delivers, the other does not; when the one has gone, the other goes on. */
    @Test
    void servers_onOneDatabase_deliverEachEventInTurn() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        String schema = "webhooks_" + Long.toHexString(System.nanoTime());
        Map<String, Object> onPostgres = Map.of("directory", shared.toString(), "database.kind", "postgres",
                "database.url", PostgresServer.shared().url(schema), "database.user", PostgresServer.USER,
                "database.schema", schema);
        restart(onPostgres);
        TestServer second = keep(new TestServer(config(onPostgres)));
        Receiver receiver = keep(new Receiver());
        JsonNode made = create(receiver.url(), ",\"types\":[\"file.written\"]");
        List<String> keys = new ArrayList<>(put(10));
        await().until(() -> receiver.all().size() >= 10);
        for (int i = 0; i < 5; i++) {
            keys.add(second.put("default", "s" + i, new byte[1]));
        }
        await().until(() -> receiver.all().size() >= 15);
        open.remove(server);
        server.close();
        server = second;
        keys.addAll(put(5));
        await().until(() -> receiver.all().size() >= 20);
        assertThat(subjects(receiver.all())).isEqualTo(keys);
        await().until(() -> webhook(made).path("delivered").asInt() == 20);
    }
}
