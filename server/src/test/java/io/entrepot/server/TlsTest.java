package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Source;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final String PASSWORD = "secret-1";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path keystore() throws Exception {
        Path file = directory.resolve("k.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process made = new ProcessBuilder(keytool.toString(), "-genkeypair", "-alias", "x", "-keyalg", "EC", "-dname",
                "CN=localhost", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
                file.toString()).inheritIO().start();
        assertThat(made.waitFor()).isZero();
        return file;
    }

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
        Path file = keystore();
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        assertServes(with(Map.of("server.tls.keystore", file.toString(), "server.tls.keystore-password", PASSWORD)),
                store);
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[]{'\n'});
        Path certificate = Files.writeString(directory.resolve("c.pem"), "-----BEGIN CERTIFICATE-----\n"
                + lines.encodeToString(store.getCertificate("x").getEncoded()) + "\n-----END CERTIFICATE-----\n");
        Path key = Files.writeString(directory.resolve("k.pem"), "-----BEGIN PRIVATE KEY-----\n"
                + lines.encodeToString(Objects.requireNonNull(store.getKey("x", PASSWORD.toCharArray())).getEncoded())
                + "\n-----END PRIVATE KEY-----\n");
        assertServes(with(Map.of("server.tls.certificate", certificate.toString(), "server.tls.key", key.toString())),
                store);
    }

    @Test
    void start_whenTheKeyIsNone_saysWhichFile() throws Exception {
        Path wrong = Files.writeString(directory.resolve("w.pem"), "nothing");
        assertThatThrownBy(() -> Server.start(with(Map.of("server.tls.certificate", wrong.toString(), "server.tls.key",
                wrong.toString()))).close()).isInstanceOf(ConfigurationException.class).hasMessageContaining("w.pem");
    }
}
