package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Asks for everything that a server says it can do, with values that are wrong, missing, odd, unknown or too large. Use by one thread. */
final class DescriptionFuzz {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int TOO_LARGE = 5_000_000;

    private final Host host;
    private final Judge judge;
    private final Random random;
    private final JsonNode description;
    private final OddValues values;
    private final Known known;
    private Map<String, String> there = Map.of();

    /** Makes what requests may be about, and says how each is called that a path can name. */
    @FunctionalInterface
    interface Known {
        Map<String, String> make() throws IOException;
    }

    DescriptionFuzz(Host host, Judge judge, Random random, Known known) throws IOException {
        this.host = host;
        this.judge = judge;
        this.random = random;
        this.known = known;
        try (Caller caller = new Caller(host)) {
            description = Caller.json(caller.get("/v1/openapi.json"));
        }
        values = new OddValues(description.path("components").path("schemas"), random);
    }

    /** Says how many requests there were. */
    int run(int ofEach) throws IOException {
        int asked = 0;
        for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                there = known.make();
                for (int i = 0; i < ofEach && method.getValue().has("responses"); i++) {
                    ask(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue());
                    asked++;
                }
            }
        }
        return asked;
    }

    private void ask(String method, String template, JsonNode operation) throws IOException {
        String path = template;
        StringBuilder query = new StringBuilder();
        List<String> headers = new ArrayList<>(List.of("Authorization: Bearer " + host.key()));
        for (JsonNode parameter : operation.path("parameters")) {
            String name = parameter.path("name").asText();
            String value = random.nextBoolean() ? values.text() : plain(values.like(parameter.path("schema")));
            switch (parameter.path("in").asText()) {
                case "path" -> path = path.replace("{" + name + "}",
                        encoded(random.nextInt(4) > 0 || value.isEmpty()
                                ? there.getOrDefault(name, RudeRounds.FUZZ)
                                : value));
                case "query" -> {
                    if (random.nextBoolean()) {
                        query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value));
                    }
                }
                default -> {
                    if (random.nextBoolean()) {
                        headers.add(name + ": " + value.replaceAll("[\\x00-\\x1f\\x7f]", "?"));
                    }
                }
            }
        }
        if (random.nextInt(10) == 0) {
            query.append(query.isEmpty() ? '?' : '&').append(encoded(values.text())).append("=x");
        }
        byte[] body = body(operation.path("requestBody").path("content"), headers);
        ask(method, path + query, headers, body);
    }

    private byte[] body(JsonNode content, List<String> headers) throws IOException {
        JsonNode json = content.path("application/json");
        if (content.isEmpty() && random.nextInt(4) > 0) {
            return new byte[0];
        }
        String type = json.isMissingNode() && !content.isEmpty() ? content.fieldNames().next() : "application/json";
        headers.add("Content-Type: " + switch (random.nextInt(16)) {
            case 0 -> "text/plain";
            case 1 -> "multipart/form-data; boundary=x";
            case 2 -> "multipart/form-data";
            case 3 -> "/;;=";
            default -> type;
        });
        return switch (random.nextInt(16)) {
            case 0 -> new byte[0];
            case 1 -> random(random.nextInt(2_000));
            case 2 -> "{\"a\":".repeat(20_000).getBytes(StandardCharsets.UTF_8);
            case 3 ->
                "{\"name\":\"\\ud800\",\"id\":\"\\udc00\",\"leases\":[\"\\ud800\"]}".getBytes(StandardCharsets.UTF_8);
            case 4 -> random.nextInt(8) == 0 ? random(TOO_LARGE) : "{".getBytes(StandardCharsets.UTF_8);
            case 5 -> "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\0b\"\r\n\r\nabc\r\n--x"
                    .getBytes(StandardCharsets.UTF_8);
            default -> json.isMissingNode()
                    ? random(random.nextInt(200))
                    : Caller.JSON.writeValueAsBytes(values.like(json.path("schema")));
        };
    }

    private byte[] random(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Each over a connection of its own: some are closed as the body is not read to its end. */
    private void ask(String method, String path, List<String> headers, byte[] body) throws IOException {
        String asked = method + " " + path + " " + headers + " " + new String(body, 0, Math.min(body.length, 200),
                StandardCharsets.UTF_8);
        HttpConnection.Answer answer;
        try (HttpConnection connection = new HttpConnection(host.address(), PATIENCE)) {
            if (path.startsWith("/v1/events")) {
                connection.send(HttpConnection.request(method, path, headers, body));
                HttpConnection.Answer head = connection.head();
                judge.judge(new HttpConnection.Answer(head.status(), head.headers(), new byte[0]), asked);
                return;
            }
            answer = connection.ask(method, path, headers, body);
        } catch (IOException e) {
            // A body that is refused before it was read is cut off, and with it sometimes the answer.
            judge.run().check(body.length > 60_000, () -> "no answer, but " + e + ", to " + Judge.shown(asked));
            return;
        }
        judge.judge(answer, asked);
    }

    private static String plain(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
