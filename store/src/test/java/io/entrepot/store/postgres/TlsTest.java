package io.entrepot.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.PostgresServer;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection to the database is encrypted, and the database's certificate looked at, if the URL says so. */
class TlsTest {
    private static final char[] SECRET = "changeit".toCharArray();

    @TempDir
    Path directory;

    /** A key and a certificate of its own for {@code localhost}. */
    private record Identity(String key, String certificate) {}

    private Identity identity(String name) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve(name + ".p12");
        int exit = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "RSA", "-dname", "CN=localhost", "-ext",
                "SAN=dns:localhost", "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(),
                "-storepass", String.valueOf(SECRET)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        assertThat(exit).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, SECRET);
        }
        return new Identity(pem("PRIVATE KEY", store.getKey("server", SECRET).getEncoded()),
                pem("CERTIFICATE", store.getCertificate("server").getEncoded()));
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + what
                + "-----\n";
    }

    @Test
    void open_whenTheUrlAsksForIt_isEncryptedAndChecksTheCertificate() throws Exception {
        Path data = directory.resolve("data");
        try (PostgresServer server = PostgresServer.start(data, 40)) {
            Identity real = identity("real");
            Files.writeString(data.resolve("server.crt"), real.certificate);
            Path key = Files.createFile(data.resolve("server.key"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(key, real.key);
            server.run("ALTER SYSTEM SET ssl = on");
            server.run("SELECT pg_reload_conf()");
            try (Store store = Postgres.open(trusting(server, real.certificate), StoreConfig.of())) {
                assertThat(store.<Boolean>read(snapshot -> snapshot.first(
                        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", row -> row.getBoolean(1))
                        .orElseThrow())).isTrue();
            }
            PostgresConfig deceived = trusting(server, identity("another").certificate);
            assertThatExceptionOfType(NotDoneException.class)
                    .isThrownBy(() -> Postgres.open(deceived, StoreConfig.of()))
                    .withMessageNotContaining("s3cret");
        }
    }

    private PostgresConfig trusting(PostgresServer server, String certificate) throws IOException {
        Path root = Files.writeString(Files.createTempFile(directory, "root", ".crt"), certificate);
        return PostgresConfig.of(server.url("tls") + "&sslmode=verify-full&sslrootcert=" + root, PostgresServer.USER,
                "s3cret").withPatience(Duration.ofSeconds(5));
    }
}
