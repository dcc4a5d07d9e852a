package io.entrepot.server.http;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Mistake;
import io.entrepot.config.Origin;
import io.entrepot.server.ServerConfig.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Reads what TLS needs: a certificate and its private key. */
public final class Certificates {
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)"
            + "-----END PRIVATE KEY-----");
    /** Only in memory: the key store is never written. */
    private static final String PASSWORD = "in memory";

    private Certificates() {}

    /** @throws ConfigurationException if they cannot be read */
    public static SslContextFactory.Server context(Tls tls) {
        SslContextFactory.Server context = new SslContextFactory.Server();
        switch (tls) {
            case Tls.Keystore(Path file, var password) -> {
                context.setKeyStore(keystore(file, password.text().toCharArray()));
                context.setKeyStorePassword(password.text());
            }
            case Tls.Pem(Path certificate, Path key) -> {
                context.setKeyStore(pem(certificate, key));
                context.setKeyStorePassword(PASSWORD);
            }
        }
        return context;
    }

    private static KeyStore keystore(Path file, char[] password) {
        try {
            return KeyStore.getInstance(file.toFile(), password);
        } catch (IOException | GeneralSecurityException e) {
            throw wrong(file, e);
        }
    }

    private static KeyStore pem(Path certificate, Path key) {
        Certificate[] chain;
        try (InputStream in = Files.newInputStream(certificate)) {
            chain = CertificateFactory.getInstance("X.509").generateCertificates(in).toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new IOException("there is no certificate in it");
            }
        } catch (IOException | GeneralSecurityException e) {
            throw wrong(certificate, e);
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", privateKey(Files.readString(key)), PASSWORD.toCharArray(), chain);
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw wrong(key, e);
        }
    }

    private static PrivateKey privateKey(String text) throws IOException, GeneralSecurityException {
        Matcher matcher = KEY.matcher(text);
        if (!matcher.find()) {
            throw new IOException("there is no PKCS#8 key in it (BEGIN PRIVATE KEY); openssl pkcs8 -topk8 -nocrypt"
                    + " makes one of another key");
        }
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // It is another one's.
            }
        }
        throw new IOException("it is no key of RSA, EC or EdDSA");
    }

    private static ConfigurationException wrong(Path file, Exception e) {
        return new ConfigurationException(List.of(new Mistake(new Origin.InFile(file, 0), "server.tls",
                "cannot be used: " + e.getMessage(), "")));
    }
}
