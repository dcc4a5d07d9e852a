package io.entrepot.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.config.Configuration;
import io.entrepot.config.Source;
import io.entrepot.pool.Pool;
import io.entrepot.server.access.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A real server on a free port, and a client whose every answer is compared with the description. */
final class TestServer implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Server server;
    private final Description description;
    private final String admin;

    TestServer(Path directory) {
        this(ServerConfig.in(directory));
    }

    TestServer(ServerConfig config) {
        this(() -> Server.start(config.withPort(0)));
    }

    /** By a file, which can be read again. */
    static TestServer by(Path file) {
        Supplier<Configuration<ServerConfig>> reading = () -> ServerSettings.read(Optional.of(file), Map.of(),
                List.of(new Source("--port", Map.of("server.port", 0))));
        return new TestServer(() -> Server.start(reading.get(), reading, _ -> {}));
    }

    private interface Starting {
        Server start() throws InterruptedException;
    }

    private TestServer(Starting starting) {
        try {
            server = starting.start();
            ServerConfig config = server.config();
            JsonNode local = Answered.MAPPER.readTree(Files.readString(config.pool().directory()
                    .resolve(LocalCredential.NAME)));
            admin = server.firstKey().map(Secret::written).orElse(local.path("key").asText());
            description = new Description(send("GET", "/v1/openapi.json", "", BodyPublishers.noBody()).json());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Server server() {
        return server;
    }

    Pool pool() {
        return server.pool();
    }

    Description description() {
        return description;
    }

    String admin() {
        return admin;
    }

    int port() {
        return URI.create(server.address()).getPort();
    }

    Answered get(String path, String... headers) {
        return as(admin, "GET", path, "", headers);
    }

    Answered post(String path, String json, String... headers) {
        return as(admin, "POST", path, json, headers);
    }

    Answered call(String method, String path, String json) {
        return as(admin, method, path, json);
    }

    /** @param key none if empty; json: none if empty */
    Answered as(String key, String method, String path, String json, String... headers) {
        String[] all = headers;
        if (!json.isEmpty() && !String.join(" ", headers).contains("Content-Type")) {
            all = Arrays.copyOf(headers, headers.length + 2);
            all[headers.length] = "Content-Type";
            all[headers.length + 1] = "application/json";
        }
        return checked(method, path, key, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json),
                all);
    }

    /** Stores a file and gives its key. */
    String put(String tenant, String name, byte[] content) {
        Answered answer = checked("POST", "/v1/tenants/" + tenant + "/files?name=" + name, admin,
                BodyPublishers.ofByteArray(content));
        if (answer.status() != 201) {
            throw new AssertionError(answer.text());
        }
        return answer.json().path("files").path(0).path("key").asText();
    }

    Answered checked(String method, String path, String key, BodyPublisher body, String... headers) {
        Answered answer = send(method, path, key, body, headers);
        description.check(method, path.replaceFirst("\\?.*", ""), answer);
        return answer;
    }

    Answered send(String method, String path, String key, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .timeout(Duration.ofSeconds(30)).method(method, body);
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Answered(CLIENT.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HttpClient client() {
        return CLIENT;
    }

    /** A key with these scopes. */
    String key(String... scopes) {
        return post("/v1/keys", "{\"name\":\"test\",\"scopes\":[\"" + String.join("\",\"", scopes) + "\"]}").json()
                .path("key").asText();
    }

    @Override
    public void close() {
        server.close();
    }
}
