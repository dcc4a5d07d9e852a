package io.entrepot.chaos.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server with a bug: it stands before a good one, passes on what it is asked, and lies now and then. */
final class LyingFront {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** How long it takes until what was acknowledged is so. */
    private static final Duration LATER = Duration.ofMillis(400);
    private static final Pattern LEASE = Pattern.compile("\"leases\":\\[\"([^\"]+)\"\\]");
    private static final Pattern KEY = Pattern.compile("\"key\":\"([0-9a-f]+)\"");
    private static final String COMPLETED = "\"result\":\"completed\",\"at\":\"2030-01-01T00:00:00Z\",\"repeated\":false";
    private static final List<String> ON = List.of("Authorization", "Content-Type", "Idempotency-Key", "Range",
            "If-Match",
            "Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset");
    private static final List<String> BACK = List.of("Content-Type", "Content-Range", "ETag", "Location",
            "Upload-Offset", "Entrepot-File-Key");
    private static final int EACH = 25;
    /** Pieces are few, as each is synced, and the last one of a file tells nothing. */
    private static final int EACH_PIECE = 2;

    private final Bug bug;
    private final InetSocketAddress behind;
    private final AtomicInteger uploads = new AtomicInteger();
    private final AtomicInteger pieces = new AtomicInteger();

    private LyingFront(Bug bug, InetSocketAddress behind) {
        this.bug = bug;
        this.behind = behind;
    }

    /** Says at which port it is. */
    static int start(Bug bug, int port, int behind) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        LyingFront front = new LyingFront(bug, new InetSocketAddress(here, behind));
        HttpServer server = HttpServer.create(new InetSocketAddress(here, port), 200);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", front::handle);
        server.start();
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().toString();
        boolean completes = path.endsWith("/leases/complete");
        if (completes && bug == Bug.COMPLETIONS_ANSWERED_FIRST) {
            Matcher lease = LEASE.matcher(new String(body, StandardCharsets.UTF_8));
            answer(exchange, 200, "{\"results\":[{\"lease\":\"" + (lease.find() ? lease.group(1) : "") + "\","
                    + COMPLETED + "}]}");
            LockSupport.parkNanos(LATER.toNanos());
            pass(exchange, path, body);
            return;
        }
        if (bug == Bug.PIECES_FORGOTTEN && exchange.getRequestMethod().equals("PATCH")
                && pieces.incrementAndGet() % EACH_PIECE == 0) {
            long offset = Long.parseLong(exchange.getRequestHeaders().getFirst("Upload-Offset"));
            exchange.getResponseHeaders().set("Upload-Offset", Long.toString(offset + body.length));
            answer(exchange, 204, "");
            return;
        }
        HttpConnection.Answer answer = pass(exchange, path, body);
        for (String name : BACK) {
            if (!answer.header(name).isEmpty()) {
                exchange.getResponseHeaders().set(name, answer.header(name));
            }
        }
        String text = new String(answer.body(), StandardCharsets.ISO_8859_1);
        if (completes && bug == Bug.NO_FENCE) {
            text = text.replace("\"result\":\"refused\"", COMPLETED);
        }
        if (bug == Bug.UPLOADS_FORGOTTEN && answer.status() == 201 && uploads.incrementAndGet() % EACH == 0) {
            Matcher key = KEY.matcher(text);
            if (key.find()) {
                ask("DELETE", path.replaceFirst("\\?.*", "") + "/" + key.group(1), headers(exchange), new byte[0]);
            }
        }
        answer(exchange, answer.status(), text);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private HttpConnection.Answer pass(HttpExchange exchange, String path, byte[] body) throws IOException {
        return ask(exchange.getRequestMethod(), path, headers(exchange), body);
    }

    private HttpConnection.Answer ask(String method, String path, List<String> headers, byte[] body)
            throws IOException {
        try (HttpConnection connection = new HttpConnection(behind, PATIENCE)) {
            return connection.ask(method, path, headers, body);
        }
    }

    private static List<String> headers(HttpExchange exchange) {
        List<String> headers = new ArrayList<>();
        for (String name : ON) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                headers.add(name + ": " + value);
            }
        }
        return headers;
    }
}
