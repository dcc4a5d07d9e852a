package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Objects;

/** A certificate that was signed with its own key, made by the JDK's keytool. */
record TestCertificate(Path keystore, KeyStore store) {
    static final String PASSWORD = "secret-1";

    static TestCertificate make(Path keystore) throws Exception {
        Files.deleteIfExists(keystore);
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process made = new ProcessBuilder(keytool.toString(), "-genkeypair", "-alias", "x", "-keyalg", "EC", "-dname",
                "CN=localhost", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
                keystore.toString()).inheritIO().start();
        assertThat(made.waitFor()).isZero();
        return new TestCertificate(keystore, KeyStore.getInstance(keystore.toFile(), PASSWORD.toCharArray()));
    }

    X509Certificate certificate() throws Exception {
        return (X509Certificate) Objects.requireNonNull(store.getCertificate("x"));
    }

    Path writeCertificate(Path file) throws Exception {
        return pem(file, "CERTIFICATE", certificate().getEncoded());
    }

    Path writeKey(Path file) throws Exception {
        Key key = Objects.requireNonNull(store.getKey("x", PASSWORD.toCharArray()));
        return pem(file, "PRIVATE KEY", key.getEncoded());
    }

    private static Path pem(Path file, String what, byte[] bytes) throws Exception {
        return Files.writeString(file, "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n");
    }
}
