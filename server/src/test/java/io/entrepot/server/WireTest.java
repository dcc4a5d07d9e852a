package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.config.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients do to a connection that good ones do not. */
class WireTest {
    private static final String FILES = "/v1/tenants/default/files";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer(ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test",
                Map.of("directory", directory.toString(), "server.idle-timeout", "2s",
                        "server.head-timeout", "1s", "server.min-upload-rate", "1KiB"))))
                .value());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String head(String length) {
        return "POST " + FILES + "?name=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.admin() + "\r\n"
                + length + "\r\n\r\n";
    }

    private void assertNothingIsLeft() {
        await().until(() -> server.server().underWay() == 0);
        assertThat(server.get(FILES).json().path("files")).isEmpty();
        assertThat(server.get("/v1/tenants/default").json().path("usage").path("bytes").asInt()).isZero();
        assertThat(server.get("/v1/volumes/main").json().path("inFlight").asInt()).isZero();
        try (Stream<Path> all = Files.walk(directory.resolve("files"))) {
            assertThat(all.filter(Files::isRegularFile).filter(file -> size(file) > 60_000)).isEmpty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    void upload_whenItIsBrokenOff_leavesNothing() throws Exception {
        for (String length : List.of("Content-Length: 10000000", "Transfer-Encoding: chunked")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                OutputStream out = socket.getOutputStream();
                out.write(head(length).getBytes(StandardCharsets.US_ASCII));
                if (length.startsWith("T")) {
                    out.write("f4240\r\n".getBytes(StandardCharsets.US_ASCII));
                }
                out.write(new byte[1_000_000]);
                out.flush();
                await().until(() -> server.server().underWay() == 1);
            }
            assertNothingIsLeft();
        }
    }

    @Test
    void upload_whenNothingMoreComes_isGivenUp() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(head("Content-Length: 10000000").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[100_000]);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).contains("http.timeout").contains("408");
            assertNothingIsLeft();
        }
    }

    @Test
    void upload_whenAByteComesNowAndThen_isGivenUp() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(head("Content-Length: 10000000").getBytes(StandardCharsets.US_ASCII));
            Thread dripping = drip(socket);
            String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
            assertThat(answer).contains("408");
            dripping.interrupt();
        }
        assertNothingIsLeft();
    }

    @Test
    void piece_whenAByteComesNowAndThen_isGivenUp_andWhatCameIsKept() throws Exception {
        String upload = server.post("/v1/tenants/default/uploads", "", "Tus-Resumable", "1.0.0", "Upload-Length",
                "10000000").header("Location");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(("PATCH " + upload + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                    + server.admin() + "\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type:"
                    + " application/offset+octet-stream\r\nContent-Length: 10000000\r\n\r\nyyy")
                    .getBytes(StandardCharsets.US_ASCII));
            Thread dripping = drip(socket);
            String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
            assertThat(answer).contains("408");
            assertThat(dripping.isAlive()).as("it was not silence that was too long").isTrue();
            dripping.interrupt();
        }
        await().until(() -> server.server().underWay() == 0);
        assertThat(Integer.parseInt(server.call("HEAD", upload, "").header("Upload-Offset"))).isGreaterThan(3);
    }

    @Test
    void head_whenAByteComesNowAndThen_isCutOff_andOthersAreNot() throws Exception {
        assertThat(server.get("/v1/me").status()).isEqualTo(200); // its connection stays
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket fine = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            slow.setSoTimeout(20_000);
            slow.getOutputStream().write("GET /health/live HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            Thread dripping = drip(slow);
            for (int i = 0; dripping.isAlive(); i++) {
                fine.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                StringBuilder answer = new StringBuilder();
                while (answer.indexOf("]}") < 0) {
                    int one = fine.getInputStream().read();
                    assertThat(one).as("request " + i + answer).isNotNegative();
                    answer.append((char) one);
                }
                dripping.join(Duration.ofMillis(200));
            }
            assertThat(slow.getInputStream().readAllBytes()).isEmpty();
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    /** A byte now and then, each well within the idle timeout, until the other side has had enough. */
    private static Thread drip(Socket socket) {
        return Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < 300; i++) {
                    socket.getOutputStream().write('y');
                    Thread.sleep(100);
                }
            } catch (IOException | InterruptedException e) {
                // It was cut off.
            }
        });
    }

    @Test
    void refusal_whenTheBodyWasNotRead_saysThatTheConnectionEnds() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String head = head("Content-Length: 10000000").replace("?name=x", "?priority=x");
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[1_000]);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).contains("http.invalid-value").contains("Connection: close");
        }
        assertThat(server.post("/v1/keys", "{}").header("Connection")).isEmpty();
    }

    @Test
    void request_whenItIsNone_isToldAsAProblem() throws Exception {
        for (String text : List.of("NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(40_000) + "\r\n\r\n",
                "GET /v1/%c0%ae HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /v1/..;/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                    InputStream in = socket.getInputStream()) {
                socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
                String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).as(text.substring(0, Math.min(30, text.length())))
                        .containsPattern("^HTTP/1.1 (4\\d\\d|505)").contains("application/problem+json")
                        .doesNotContain("\tat ").doesNotContain("Exception").doesNotContain("etty");
            }
        }
    }

    @Test
    void download_whenTheReaderGoes_endsAndHoldsNothing() throws Exception {
        String key = server.put("default", "big", new byte[20_000_000]);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(("GET " + FILES + "/" + key + "/content HTTP/1.1\r\nHost: x\r\n"
                    + "Authorization: Bearer " + server.admin() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        await().until(() -> server.server().underWay() == 0);
        assertThat(server.get(FILES + "/" + key + "/content").bytes()).hasSize(20_000_000);
    }
}
