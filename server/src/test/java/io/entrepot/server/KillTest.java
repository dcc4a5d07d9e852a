package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillTest {
    private static final int ENOUGH = 60;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** {@code kill -9} while eight clients send: whatever was answered with 201 is there, whole. */
    @Test
    void kill_losesNothingThatWasAcknowledged() throws Exception {
        Process process = new ProcessBuilder(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                KilledServer.class.getName(), directory.toString())).redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
        try (BufferedReader lines = process.inputReader()) {
            String[] told = String.valueOf(lines.readLine()).split(" ", -1);
            try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
                for (int i = 0; i < 8; i++) {
                    Future<?> _ = clients.submit(() -> send(told[0], told[1], acknowledged, process));
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
        try (TestServer server = new TestServer(directory)) {
            for (String key : acknowledged) {
                server.pool().files().verify(TenantId.DEFAULT, FileKey.parse(key));
            }
        }
    }

    private static void send(String address, String key, Queue<String> acknowledged, Process process) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/v1/tenants/default/files"))
                .header("Authorization", "Bearer " + key).POST(BodyPublishers.ofByteArray(new byte[4096])).build();
        try {
            while (true) {
                HttpResponse<byte[]> answer = TestServer.client().send(request, BodyHandlers.ofByteArray());
                assertThat(answer.statusCode()).isEqualTo(201);
                acknowledged.add(Answered.MAPPER.readTree(answer.body()).path("files").path(0).path("key").asText());
                if (acknowledged.size() >= ENOUGH) {
                    process.destroyForcibly();
                }
            }
        } catch (IOException | InterruptedException e) {
            // It was killed: what was under way is not known.
        }
    }
}
