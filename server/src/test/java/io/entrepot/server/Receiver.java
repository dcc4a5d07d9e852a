package io.entrepot.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLContext;

/** Somebody who is told what happens: a real HTTP server that answers as the test wants. Safe for use by many threads. */
final class Receiver implements AutoCloseable {
    /** Never answers. */
    static final int HANG = -1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Received> all = new CopyOnWriteArrayList<>();
    private volatile ToIntFunction<Received> answer = _ -> 204;
    private volatile String location = "";

    record Received(String path, String id, String signature, String attempt, String webhook, String body, int status) {
        JsonNode json() {
            try {
                return Answered.MAPPER.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError(body, e);
            }
        }

        String subject() {
            return json().path("subject").asText();
        }
    }

    Receiver() {
        this(0);
    }

    Receiver(int port) {
        this(port, Optional.empty());
    }

    /** By HTTPS, as somebody with such a key and certificate. */
    Receiver(SSLContext tls) {
        this(0, Optional.of(tls));
    }

    private Receiver(int port, Optional<SSLContext> tls) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            if (tls.isPresent()) {
                HttpsServer https = HttpsServer.create(address, 50);
                https.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
                server = https;
            } else {
                server = HttpServer.create(address, 50);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    Receiver answering(ToIntFunction<Received> value) {
        answer = value;
        return this;
    }

    Receiver redirectingTo(String value) {
        location = value;
        return answering(_ -> 307);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port() + "/hook";
    }

    /** All that came, in order, taken or not. */
    List<Received> all() {
        return List.copyOf(all);
    }

    List<Received> taken() {
        return all.stream().filter(it -> it.status / 100 == 2).toList();
    }

    private void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Received seen = new Received(exchange.getRequestURI().getPath(), header(exchange, "Entrepot-Event-Id"),
                header(exchange, "Entrepot-Signature"), header(exchange, "Entrepot-Attempt"),
                header(exchange, "Entrepot-Webhook"), body, 0);
        int status = answer.applyAsInt(seen);
        all.add(new Received(seen.path, seen.id, seen.signature, seen.attempt, seen.webhook, body, status));
        if (status == HANG) {
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        if (!location.isEmpty()) {
            exchange.getResponseHeaders().set("Location", location);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
