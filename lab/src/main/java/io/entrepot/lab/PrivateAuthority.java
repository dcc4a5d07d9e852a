package io.entrepot.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority whose certificates nobody trusts who was not told to. Made with this Java's own keytool. */
public final class PrivateAuthority {
    public static final String PASSWORD = "secret-1";

    private final Path directory;
    private final Path store;
    private final Path certificate;

    /** In a directory that is there. */
    public PrivateAuthority(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.store = directory.resolve("authority.p12");
        this.certificate = directory.resolve("authority.pem");
        keytool(store, "-genkeypair", "-alias", "x", "-keyalg", "EC", "-dname", "CN=Private Authority", "-ext", "bc:c");
        keytool(store, "-exportcert", "-rfc", "-alias", "x", "-file", certificate.toString());
    }

    /** What is to be trusted, as PEM. */
    public Path certificate() {
        return certificate;
    }

    /** A keystore with a key and its certificate, for {@code names} as {@code ip:127.0.0.1} or {@code dns:localhost}. */
    public Path issue(String names) throws IOException, InterruptedException {
        Path issued = directory.resolve("issued-" + names.replaceAll("[^a-z0-9]+", "-") + ".p12");
        Path request = directory.resolve("request");
        Path answer = directory.resolve("answer");
        keytool(issued, "-genkeypair", "-alias", "x", "-keyalg", "EC", "-dname", "CN=server");
        keytool(issued, "-certreq", "-alias", "x", "-file", request.toString());
        keytool(store, "-gencert", "-rfc", "-alias", "x", "-ext", "san=" + names, "-infile", request.toString(),
                "-outfile", answer.toString());
        Path chain = directory.resolve("chain");
        Files.writeString(chain, Files.readString(answer) + Files.readString(certificate));
        keytool(issued, "-importcert", "-noprompt", "-trustcacerts", "-alias", "x", "-file", chain.toString());
        return issued;
    }

    /** For somebody who is such a server. */
    public static SSLContext server(Path issued) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(issued)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** For somebody who trusts this authority and no other. */
    public SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("x", keys.getCertificate("x"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static void keytool(Path keystore, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", keystore.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
    }
}
