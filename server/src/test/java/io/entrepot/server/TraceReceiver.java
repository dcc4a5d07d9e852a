package io.entrepot.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes traces by OTLP over HTTP, and remembers what came over the wire. */
final class TraceReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> all = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    record Received(String path, String type, String key, JsonNode body) {}

    TraceReceiver(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", this::receive);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/v1/traces";
    }

    void answer(int value) {
        status = value;
    }

    private void receive(HttpExchange exchange) throws IOException {
        JsonNode body = Answered.MAPPER.readTree(exchange.getRequestBody());
        all.add(new Received(exchange.getRequestURI().getPath(), header(exchange, "Content-Type"),
                header(exchange, "x-key"), body));
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    List<Received> all() {
        return List.copyOf(all);
    }

    List<JsonNode> spans() {
        return all.stream().flatMap(one -> one.body.findValues("spans").stream())
                .flatMap(spans -> spans.valueStream()).toList();
    }

    /** Those of that name. */
    List<JsonNode> spans(String name) {
        return spans().stream().filter(span -> span.path("name").asText().equals(name)).toList();
    }

    static String attribute(JsonNode span, String key) {
        return span.path("attributes").valueStream().filter(one -> one.path("key").asText().equals(key)).findFirst()
                .map(one -> one.path("value").path("stringValue").asText(one.path("value").path("intValue").asText()))
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
