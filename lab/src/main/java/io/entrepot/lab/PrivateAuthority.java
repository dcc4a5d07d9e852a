package io.entrepot.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority whose certificates nobody trusts who was not told to. Made with this Java's own keytool. */
public final class PrivateAuthority {
    public static final String PASSWORD = "secret-1";
    private static final String AUTHORITY = "authority";
    private static final String ISSUED = "x";

    private final Path directory;
    private final Path store;
    private final Path certificate;

    /** In a directory that is there. */
    public PrivateAuthority(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        this.directory = directory;
        this.store = directory.resolve("authority.p12");
        this.certificate = directory.resolve("authority.pem");
        keytool(store, AUTHORITY, "-keyalg", "EC", "-dname", "CN=Private Authority", "-ext", "bc:c");
        Files.writeString(certificate, pem(load(store).getCertificate(AUTHORITY)));
    }

    /** What is to be trusted, as PEM. */
    public Path certificate() {
        return certificate;
    }

    /** A keystore with a key and its certificate, for {@code names} as {@code ip:127.0.0.1} or {@code dns:localhost}. */
    public Path issue(String names) throws IOException, GeneralSecurityException, InterruptedException {
        Path issued = directory.resolve("issued-" + names.replaceAll("[^a-z0-9]+", "-") + ".p12");
        Files.copy(store, issued, StandardCopyOption.REPLACE_EXISTING);
        keytool(issued, ISSUED, "-keyalg", "EC", "-dname", "CN=server", "-ext", "san=" + names, "-signer", AUTHORITY);
        KeyStore keys = load(issued);
        keys.deleteEntry(AUTHORITY);
        try (OutputStream out = Files.newOutputStream(issued)) {
            keys.store(out, PASSWORD.toCharArray());
        }
        return issued;
    }

    /** For somebody who is such a server. */
    public static SSLContext server(Path issued) throws IOException, GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(load(issued), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** For somebody who trusts this authority and no other. */
    public SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(AUTHORITY, load(store).getCertificate(AUTHORITY));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(Path keystore) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static String pem(Certificate certificate) throws GeneralSecurityException {
        return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    /** Makes a key and its certificate. */
    private static void keytool(Path keystore, String alias, String... how) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", alias));
        command.addAll(List.of(how));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", keystore.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
    }
}
