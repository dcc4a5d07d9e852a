package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.TenantId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that people use, tus-js-client on Node: its connection breaks, and its process is killed. */
class TusClientTest {
    private static final Path CLIENT = Path.of("target", "tus-client").toAbsolutePath();
    private static final TenantId TENANT = new TenantId("default");
    private static final byte[] CONTENT = new byte[20 << 20];

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeAll
    static void install() throws Exception {
        new Random(7).nextBytes(CONTENT);
        Files.createDirectories(CLIENT);
        for (String name : List.of("package.json", "package-lock.json", "upload.mjs")) {
            try (InputStream in = TusClientTest.class.getResourceAsStream("tus-client/" + name)) {
                assertThat(in).as(name).isNotNull();
                Files.copy(in, CLIENT.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path log = CLIENT.resolve("npm.log");
        boolean installed = false;
        try {
            Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                    .directory(CLIENT.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
            installed = npm.waitFor(3, TimeUnit.MINUTES) && npm.exitValue() == 0;
            npm.destroyForcibly();
        } catch (IOException e) {
            Files.writeString(log, e.toString());
        }
        assumeTrue(installed, "npm could not install tus-js-client, so that no real tus client was tried; see " + log);
    }

    private Process start(int port, String key, Path file) throws IOException {
        ProcessBuilder node = new ProcessBuilder("node", "upload.mjs", "http://127.0.0.1:" + port
                + "/v1/tenants/default/uploads", file.toString(), directory.resolve("remembered").toString())
                .directory(CLIENT.toFile());
        node.environment().putAll(Map.of("ENTREPOT_KEY", key));
        return node.start();
    }

    private Path content() throws IOException {
        return Files.write(directory.resolve("content"), CONTENT);
    }

    private static JsonNode result(Process node) throws Exception {
        Thread.startVirtualThread(() -> {
            try {
                node.getErrorStream().transferTo(System.err);
            } catch (IOException e) {
                // it has ended
            }
        });
        String out = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(node.exitValue()).as(out).isZero();
        return Answered.MAPPER.readTree(out);
    }

    private static void assertStored(TestServer server, String key) throws Exception {
        FileInfo file = server.pool().files().get(TENANT, FileKey.parse(key));
        assertThat(file.sha256()).isEqualTo(new Sha256(Sha256.digest().digest(CONTENT)));
        assertThat(Files.readAllBytes(file.path().orElseThrow())).isEqualTo(CONTENT);
        assertThat(file.name()).contains("Bericht März.bin");
        assertThat(file.directory().toString()).isEqualTo("in/tus");
        assertThat(file.labels().all()).isEqualTo(Map.of("filetype", "application/x-test", "from", "node"));
    }

    @Test
    void upload_whenTheConnectionBreaks_goesOnAndIsWhole() throws Exception {
        try (TestServer server = new TestServer(directory.resolve("data"));
                CuttingProxy proxy = new CuttingProxy(server.port(), (7 << 20) + 333_333)) {
            String key = server.key("tenant:default:write");
            JsonNode result = result(start(proxy.port(), key, content()));
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(result.path("requests").asInt()).isGreaterThan(21); // one more than the pieces, at least
            assertStored(server, result.path("key").asText());
            assertThat(server.get("/v1/tenants/default/files").json().path("files")).hasSize(1);
        }
    }

    @Test
    void upload_whenClientAndServerAreKilled_goesOnInNewOnes() throws Exception {
        Path file = content();
        String key;
        try (TestServer server = new TestServer(directory.resolve("data"))) {
            key = server.key("tenant:default:write");
            Process first = start(server.port(), key, file);
            try (BufferedReader progress = first.errorReader()) {
                for (String line = progress.readLine(); line != null; line = progress.readLine()) {
                    if (line.startsWith("sent ") && Long.parseLong(line.substring(5)) > 5 << 20) {
                        break;
                    }
                }
                first.destroyForcibly().waitFor();
            }
            assertThat(server.get("/v1/tenants/default/uploads").json().path("uploads")).hasSize(1);
        }
        try (TestServer server = new TestServer(directory.resolve("data"))) {
            Path remembered = directory.resolve("remembered");
            // The server has another port now, which the client cannot know.
            Files.writeString(remembered, Files.readString(remembered).replaceAll("127\\.0\\.0\\.1:\\d+",
                    "127.0.0.1:" + server.port()));
            JsonNode result = result(start(server.port(), key, file));
            assertThat(result.path("resumed").asBoolean()).isTrue();
            assertThat(result.path("requests").asInt()).isLessThan(20);
            assertStored(server, result.path("key").asText());
            assertThat(server.get("/v1/tenants/default/uploads").json().path("uploads")).isEmpty();
        }
    }
}
