package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.config.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookKillTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static String post(String address, String key, String path, String body, String type)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", type).POST(BodyPublishers.ofString(body)).build();
        return TestServer.client().send(request, BodyHandlers.ofString()).body();
    }

    private static void send(String address, String key, Set<String> acknowledged) {
        try {
            while (true) {
                acknowledged.add(Answered.MAPPER.readTree(post(address, key, "/v1/tenants/default/files", "x",
                        "text/plain")).path("files").path(0).path("key").asText());
            }
        } catch (IOException | InterruptedException e) {
            // It was killed: what was under way is not known.
        }
    }

    /** {@code kill -9} while events are delivered: each is told, in order, and the one that was on its way perhaps twice. */
    @Test
    void kill_whileEventsAreDelivered_losesNoneAndKeepsTheirOrder() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        ProcessBuilder builder = new ProcessBuilder(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                KilledServer.class.getName(), directory.toString())).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ENTREPOT_SERVER_WEBHOOKS_ALLOW_LOCAL", "true");
        try (Receiver receiver = new Receiver()) {
            Process process = builder.start();
            try (BufferedReader lines = process.inputReader()) {
                String[] told = String.valueOf(lines.readLine()).split(" ", -1);
                post(told[0], told[1], "/v1/webhooks", "{\"name\":\"x\",\"url\":\"" + receiver.url()
                        + "\",\"types\":[\"file.written\"]}", "application/json");
                try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
                    for (int i = 0; i < 4; i++) {
                        Future<?> _ = clients.submit(() -> send(told[0], told[1], acknowledged));
                    }
                    await().until(() -> receiver.all().size() >= 50);
                    process.destroyForcibly();
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
            try (TestServer _ = new TestServer(ServerSettings.read(Optional.empty(), Map.of(),
                    List.of(new Source("test", Map.of("directory", directory.toString(), "server.webhooks.allow-local",
                            true))))
                    .value())) {
                await().until(() -> receiver.all().stream().map(Receiver.Received::subject).toList()
                        .containsAll(acknowledged));
            }
            List<Long> numbers = receiver.all().stream().map(it -> it.json().path("number").asLong()).toList();
            List<Long> sorted = new ArrayList<>(numbers);
            sorted.sort(null);
            assertThat(numbers).isEqualTo(sorted);
            assertThat(numbers.size() - new HashSet<>(numbers).size()).isLessThanOrEqualTo(1);
        }
    }
}
