package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the API over a connection that is made anew when it breaks. Nothing is called twice here. Use by one thread. */
final class Caller implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** A connection that was silent for longer may have been given up by the server, and is not trusted. */
    private static final Duration FRESH = Duration.ofMillis(300);
    private static final byte[] NOTHING = {};

    private final InetSocketAddress address;
    private final Supplier<String> key;
    private @Nullable HttpConnection connection;
    private long used;

    Caller(InetSocketAddress address, Supplier<String> key) {
        this.address = address;
        this.key = key;
    }

    Caller(Host host) {
        this(host.address(), host::key);
    }

    HttpConnection.Answer get(String path) throws IOException {
        return ask("GET", path, NOTHING);
    }

    HttpConnection.Answer post(String path, String json) throws IOException {
        return ask("POST", path, json.getBytes(StandardCharsets.UTF_8),
                "Content-Type: application/json");
    }

    /** An exception says that the answer is not known. */
    HttpConnection.Answer ask(String method, String path, byte[] body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Authorization: Bearer " + key.get());
        if (System.nanoTime() - used > FRESH.toNanos()) {
            close();
        }
        try {
            if (connection == null) {
                connection = new HttpConnection(address, PATIENCE);
            }
            HttpConnection.Answer answer = connection.ask(method, path, all, body);
            used = System.nanoTime();
            if (answer.header("connection").equals("close")) {
                close();
            }
            return answer;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    static JsonNode json(HttpConnection.Answer answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
