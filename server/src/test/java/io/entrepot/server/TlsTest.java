package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Source;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final String PASSWORD = TestCertificate.PASSWORD;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private ServerConfig with(Map<String, ?> tls) {
        return ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", Map.of("directory",
                directory.resolve("data").toString(), "server.port", 0)), new Source("test", tls))).value();
    }

    private void assertServes(ServerConfig config, KeyStore trusted) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (Server server = Server.start(config);
                HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            assertThat(server.address()).startsWith("https://127.0.0.1:");
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(URI.create(server.address()
                    + "/health/live")).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
        }
    }

    @Test
    void serve_withAKeystoreOrPemFiles_isHttps() throws Exception {
        TestCertificate made = TestCertificate.make(directory.resolve("k.p12"));
        KeyStore store = made.store();
        assertServes(with(Map.of("server.tls.keystore", made.keystore().toString(), "server.tls.keystore-password",
                PASSWORD)), store);
        Path certificate = made.writeCertificate(directory.resolve("c.pem"));
        Path key = made.writeKey(directory.resolve("k.pem"));
        assertServes(with(Map.of("server.tls.certificate", certificate.toString(), "server.tls.key", key.toString())),
                store);
    }

    @Test
    void start_whenTheKeyIsNone_saysWhichFile() throws Exception {
        Path wrong = Files.writeString(directory.resolve("w.pem"), "nothing");
        assertThatThrownBy(() -> Server.start(with(Map.of("server.tls.certificate", wrong.toString(), "server.tls.key",
                wrong.toString()))).close()).isInstanceOf(ConfigurationException.class).hasMessageContaining("w.pem");
    }

    /** What a client that keeps its connection sees, and one that comes later. */
    private static final class Client implements AutoCloseable {
        private final SSLSocket socket;

        Client(int port) throws Exception {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[]{new Anybody()}, null);
            socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
            socket.setSoTimeout(30_000);
            socket.startHandshake();
        }

        Certificate certificate() throws Exception {
            return socket.getSession().getPeerCertificates()[0];
        }

        String ask() throws Exception {
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            StringBuilder text = new StringBuilder();
            while (!text.toString().contains("}")) {
                int next = socket.getInputStream().read();
                assertThat(next).as("the connection ended after %s", text).isNotNegative();
                text.append((char) next);
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** The test looks at the certificate by itself. */
    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void reload_whenTheCertificateIsRenewed_givesItToNewConnections_andOldOnesGoOn() throws Exception {
        Path certificate = directory.resolve("c.pem");
        Path key = directory.resolve("k.pem");
        TestCertificate first = TestCertificate.make(directory.resolve("1.p12"));
        TestCertificate second = TestCertificate.make(directory.resolve("2.p12"));
        first.writeCertificate(certificate);
        first.writeKey(key);
        ServerConfig config = with(Map.of("server.tls.certificate", certificate.toString(), "server.tls.key",
                key.toString()));
        try (Server server = Server.start(config)) {
            int port = URI.create(server.address()).getPort();
            try (Client old = new Client(port)) {
                assertThat(old.certificate()).isEqualTo(first.certificate());
                assertThat(old.ask()).startsWith("HTTP/1.1 200");
                second.writeCertificate(certificate); // the key is not there yet, as when one comes between the two
                server.reload("test");
                try (Client between = new Client(port)) {
                    assertThat(between.certificate()).isEqualTo(first.certificate());
                }
                second.writeKey(key);
                server.reload("test");
                assertThat(old.ask()).startsWith("HTTP/1.1 200");
                try (Client fresh = new Client(port)) {
                    assertThat(fresh.certificate()).isEqualTo(second.certificate());
                    assertThat(fresh.ask()).startsWith("HTTP/1.1 200");
                }
                Files.writeString(key, "nothing");
                server.reload("test");
                try (Client later = new Client(port)) {
                    assertThat(later.certificate()).isEqualTo(second.certificate());
                }
            }
        }
    }

    @Test
    void reload_fromHttpToHttps_needsARestart() throws Exception {
        TestCertificate made = TestCertificate.make(directory.resolve("k.p12"));
        Path file = Files.writeString(directory.resolve("e.toml"), "directory = \"data\"\n");
        try (TestServer server = TestServer.by(file)) {
            Files.writeString(file, "directory = \"data\"\n[server.tls]\nkeystore = \"" + made.keystore()
                    + "\"\nkeystore-password = \"" + PASSWORD + "\"\n");
            Answered told = server.post("/v1/config/reload", "");
            assertThat(told.json().path("changed")).isEmpty();
            assertThat(told.json().path("waiting")).extracting(one -> one.path("setting").asText())
                    .containsExactlyInAnyOrder("server.tls.keystore", "server.tls.keystore-password");
            assertThat(told.text()).doesNotContain(PASSWORD);
        }
    }

    @Test
    void start_whenTheKeyIsAnothers_saysSo() throws Exception {
        Path certificate = TestCertificate.make(directory.resolve("1.p12"))
                .writeCertificate(directory.resolve("c.pem"));
        Path key = TestCertificate.make(directory.resolve("2.p12")).writeKey(directory.resolve("k.pem"));
        assertThatThrownBy(() -> Server.start(with(Map.of("server.tls.certificate", certificate.toString(),
                "server.tls.key", key.toString()))).close()).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("k.pem").hasMessageContaining("not that of the certificate");
    }
}
