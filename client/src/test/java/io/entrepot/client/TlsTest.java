package io.entrepot.client;

import static io.entrepot.client.FilePoolContract.ACME;
import static io.entrepot.client.FilePoolContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.Source;
import io.entrepot.lab.PrivateAuthority;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.ServerSettings;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server behind HTTPS, and others that only say that they are it. */
class TlsTest {
    private static final String SECRET = "ek_secret_key";

    private static PrivateAuthority authority;

    @TempDir
    Path directory;

    @BeforeAll
    static void makeAuthority(@TempDir Path place) throws Exception {
        authority = new PrivateAuthority(place);
    }

    private RunningServer server(String names) throws Exception {
        return server(directory.resolve("data"), authority.issue(names));
    }

    static RunningServer server(Path data, Path issued) throws InterruptedException {
        ServerConfig config = ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", Map.of(
                "directory", data.toString(), "server.tls.keystore", issued.toString(),
                "server.tls.keystore-password", PrivateAuthority.PASSWORD)))).value();
        RunningServer server = new RunningServer(data, config);
        server.pool().tenants().create(ACME);
        return server;
    }

    @Test
    void client_thatTrustsAPrivateAuthority_worksWithItsServer() throws Exception {
        try (RunningServer server = server("ip:127.0.0.1");
                EntrepotClient client = EntrepotClient.connect(server.config().trusting(authority.certificate()))) {
            assertThat(server.address().getScheme()).isEqualTo("https");
            client.files().write(ACME, NewFile.named("small"), bytes(10));
            client.files().write(ACME, NewFile.named("large"), FilePoolContract.stream(bytes(3_000_000)));
            for (int i = 0; i < 2; i++) {
                client.work().complete(client.work().claim(ACME, "w").orElseThrow().lease());
            }
            assertThat(server.pool().files().list(FileQuery.of(ACME)).files()).isEmpty();
        }
    }

    /** What breaks on the way is not taken for a server that is not trusted: it is tried again, and is done once. */
    @Test
    void client_whenTheConnectionIsCut_triesAgain() throws Exception {
        try (RunningServer server = server("ip:127.0.0.1");
                Cutter cutter = new Cutter(server.port());
                EntrepotClient client = EntrepotClient.connect(ClientConfig
                        .of(URI.create("https://127.0.0.1:" + cutter.port()), server.key())
                        .withDeadline(Duration.ofSeconds(20)).trusting(authority.certificate()))) {
            // In the middle of the handshake, which is short when a session is resumed, after it, and within the answer.
            for (long after = 0; after < 1_600; after += 100) {
                cutter.cutAnswers(after, 1);
                client.files().write(ACME, NewFile.named("a"), bytes(10));
            }
            assertThat(cutter.cuts()).isGreaterThan(8);
            assertThat(server.pool().files().list(FileQuery.of(ACME)).files()).hasSize(16);
            assertThat(client.work().claim(ClaimOrder.of(ACME, "w").withMax(20))).hasSize(16);
        }
    }

    @Test
    void server_whoseAuthorityIsNotTrusted_isRefusedAtOnceAndSaysWhatToDo() throws Exception {
        try (RunningServer server = server("ip:127.0.0.1");
                EntrepotClient client = EntrepotClient.connect(server.config())) {
            assertUntrusted(client, "not of an authority that is trusted here", "ClientConfig.trusting");
            PrivateAuthority other = new PrivateAuthority(Files.createDirectory(directory.resolve("other")));
            try (EntrepotClient wrong = EntrepotClient.connect(server.config().trusting(other.certificate()))) {
                assertUntrusted(wrong, "not of an authority that is trusted here");
            }
        }
    }

    @Test
    void server_whoseCertificateIsForAnotherName_isRefused() throws Exception {
        try (RunningServer server = server("dns:elsewhere.example");
                EntrepotClient client = EntrepotClient.connect(server.config().trusting(authority.certificate()))) {
            assertUntrusted(client, "its certificate is not valid", "127.0.0.1");
        }
    }

    @Test
    void server_thatIsNotTrusted_isSentNothing() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        AtomicInteger heard = new AtomicInteger();
        try (ServerSocket stranger = PrivateAuthority.server(authority.issue("ip:127.0.0.1")).getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
                EntrepotClient client = EntrepotClient.connect(ClientConfig.of(URI.create("https://127.0.0.1:"
                        + stranger.getLocalPort()), SECRET))) {
            Thread.ofVirtual().start(() -> accept(stranger, connections, heard));
            assertUntrusted(client, "was sent nothing");
            assertThatThrownBy(() -> client.files().write(ACME, NewFile.named("a"), bytes(10)))
                    .isInstanceOf(PoolUnavailableException.class);
            assertThat(connections).hasValue(2);
            assertThat(heard).hasValue(0);
        }
    }

    /** Tries to hear what it can, as somebody would who wants the key. */
    private static void accept(ServerSocket stranger, AtomicInteger connections, AtomicInteger heard) {
        while (!stranger.isClosed()) {
            try (SSLSocket one = (SSLSocket) stranger.accept()) {
                connections.incrementAndGet();
                heard.addAndGet(one.getInputStream().readAllBytes().length);
            } catch (IOException e) {
                // the client has gone, or the test is over
            }
        }
    }

    @Test
    void server_thatDoesNotSpeakTls_isRefused() throws Exception {
        try (RunningServer server = new RunningServer(directory.resolve("plain"));
                EntrepotClient client = EntrepotClient.connect(ClientConfig.of(URI.create("https://127.0.0.1:"
                        + server.port()), SECRET))) {
            assertUntrusted(client, "does not speak HTTPS", "http://");
        }
    }

    private static void assertUntrusted(EntrepotClient client, String... words) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> client.files().list(FileQuery.of(ACME)))
                .isInstanceOfSatisfying(PoolUnavailableException.class, e -> {
                    assertThat(e.code()).isEqualTo("pool.unavailable.untrusted");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                    assertThat(e).hasMessageContainingAll(words).hasMessageNotContaining(SECRET);
                });
        assertThat(Duration.ofNanos(System.nanoTime() - began)).as("it is not tried again").isLessThan(
                Duration.ofSeconds(15));
    }
}
