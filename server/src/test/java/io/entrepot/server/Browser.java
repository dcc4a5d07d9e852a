package io.entrepot.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real browser without a window, driven by its own protocol: the Chromium of this machine, or the one that
 * {@code ENTREPOT_CHROMIUM} names. For one thread.
 */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final WebSocket socket;
    private final String session;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private int calls;

    static Optional<Path> installed() {
        String named = System.getenv("ENTREPOT_CHROMIUM");
        return (named == null
                ? Stream.of("chromium", "chromium-browser", "google-chrome").map(name -> Path.of("/usr/bin", name))
                : Stream.of(Path.of(named))).filter(Files::isExecutable).findFirst();
    }

    /** @param profile a directory for what it keeps */
    Browser(Path program, Path profile) throws IOException, InterruptedException {
        process = new ProcessBuilder(program.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank").redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        Path told = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(told) || Files.readAllLines(told).size() < 2) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                process.destroyForcibly();
                throw new IOException("the browser does not start");
            }
            Thread.sleep(20);
        }
        List<String> lines = Files.readAllLines(told);
        socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create("ws://127.0.0.1:" + lines.get(0)
                + lines.get(1)), new Ear()).join();
        JsonNode page = command("", "Target.createTarget", Map.of("url", "about:blank"));
        session = command("", "Target.attachToTarget", Map.of("targetId", page.path("targetId").asText(), "flatten",
                true)).path("sessionId").asText();
        for (String domain : List.of("Page", "Runtime", "Log")) {
            command(session, domain + ".enable", Map.of());
        }
    }

    /** Hears what the browser says; a message may come in pieces. */
    private final class Ear implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        @SuppressWarnings("NullAway") // null says that the piece is done with
        public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
            text.append(piece);
            if (last) {
                hear(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void hear(String message) {
        try {
            JsonNode node = Answered.MAPPER.readTree(message);
            String method = node.path("method").asText();
            if (node.has("id")) {
                answers.add(node);
            } else if (method.equals("Runtime.exceptionThrown")
                    || node.path("params").path("entry").path("level").asText().matches("error|warning")) {
                complaints.add(node.path("params").toString());
            }
        } catch (IOException e) {
            complaints.add(e.toString());
        }
    }

    private JsonNode command(String in, String method, Map<String, Object> parameters)
            throws IOException, InterruptedException {
        ObjectNode message = Answered.MAPPER.createObjectNode().put("id", ++calls).put("method", method);
        message.set("params", Answered.MAPPER.valueToTree(parameters));
        if (!in.isEmpty()) {
            message.put("sessionId", in);
        }
        socket.sendText(message.toString(), true).join();
        while (true) {
            JsonNode answer = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null || answer.has("error")) {
                throw new IOException(method + ": " + answer);
            }
            if (answer.path("id").asInt() == calls) {
                return answer.path("result");
            }
        }
    }

    void open(String url) throws IOException, InterruptedException {
        command(session, "Page.navigate", Map.of("url", url));
    }

    void resize(int width, int height) throws IOException, InterruptedException {
        command(session, "Emulation.setDeviceMetricsOverride", Map.of("width", width, "height", height,
                "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void prefer(String scheme) throws IOException, InterruptedException {
        command(session, "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name",
                "prefers-color-scheme", "value", scheme))));
    }

    /** What an expression comes to, as JSON has it. */
    JsonNode run(String script) throws IOException, InterruptedException {
        JsonNode result = command(session, "Runtime.evaluate", Map.of("expression", script, "returnByValue", true,
                "awaitPromise", true, "userGesture", true));
        if (result.has("exceptionDetails")) {
            throw new IOException(result.path("exceptionDetails").toString());
        }
        return result.path("result").path("value");
    }

    byte[] picture() throws IOException, InterruptedException {
        return Base64.getDecoder().decode(command(session, "Page.captureScreenshot", Map.of()).path("data").asText());
    }

    /** Errors in the page's console so far. */
    List<String> complaints() {
        return new ArrayList<>(complaints);
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
