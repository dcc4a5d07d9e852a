package io.entrepot.server.http;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Mistake;
import io.entrepot.config.Origin;
import io.entrepot.config.Secret;
import io.entrepot.server.ServerConfig.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Reads what TLS needs: a certificate and its private key. */
public final class Certificates {
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)"
            + "-----END PRIVATE KEY-----");
    /** Only in memory: the key store is never written. */
    private static final String PASSWORD = "in memory";

    private Certificates() {}

    /**
     * What a server shows who it is, in memory.
     *
     * @param certificates the first of each chain
     */
    public record Identity(KeyStore keys, Secret password, List<X509Certificate> certificates) {

        /** From now on the factory's new connections have this; those that there are go on. */
        public void give(SslContextFactory factory) {
            factory.setKeyStore(keys);
            factory.setKeyStorePassword(password.text());
        }

        /** For people: until when it is good. */
        @Override
        public String toString() {
            return certificates.stream().map(one -> one.getSubjectX500Principal().getName() + " until "
                    + one.getNotAfter().toInstant()).collect(Collectors.joining(", "));
        }
    }

    /** @throws ConfigurationException if they cannot be read, or do not belong together */
    public static Identity read(Tls tls) {
        return switch (tls) {
            case Tls.Keystore(Path file, Secret password) -> identity(file,
                    keystore(file, password.text().toCharArray()), password);
            case Tls.Pem(Path certificate, Path key) -> identity(key, pem(certificate, key), new Secret(PASSWORD));
        };
    }

    /** A key that is not the certificate's would be found out by the first client only, when nobody can connect any more. */
    private static Identity identity(Path file, KeyStore store, Secret password) {
        try {
            List<X509Certificate> certificates = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.getKey(alias, password.text().toCharArray()) instanceof PrivateKey key
                        && store.getCertificate(alias) instanceof X509Certificate certificate) {
                    requirePair(key, certificate.getPublicKey());
                    certificates.add(certificate);
                }
            }
            if (certificates.isEmpty()) {
                throw new IOException("there is no private key with a certificate in it");
            }
            return new Identity(store, password, certificates);
        } catch (IOException | GeneralSecurityException e) {
            throw wrong(file, e);
        }
    }

    private static void requirePair(PrivateKey key, PublicKey of) throws IOException, GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        byte[] text = PASSWORD.getBytes(StandardCharsets.UTF_8);
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(text);
        byte[] signed = signing.sign();
        boolean fits;
        try {
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(of);
            checking.update(text);
            fits = checking.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            fits = false; // of another algorithm
        }
        if (!fits) {
            throw new IOException("the private key is not that of the certificate");
        }
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

    static ConfigurationException refused(Optional<Tls> tls, Exception e) {
        return wrong(tls.map(it -> switch (it) {
            case Tls.Keystore(Path file, _) -> file;
            case Tls.Pem(Path certificate, _) -> certificate;
        }).orElse(Path.of("")), e);
    }

    private static ConfigurationException wrong(Path file, Exception e) {
        return new ConfigurationException(List.of(new Mistake(new Origin.InFile(file, 0), "server.tls",
                "cannot be used: " + e.getMessage(), "")));
    }
}
