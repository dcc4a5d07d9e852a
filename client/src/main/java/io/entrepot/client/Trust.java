package io.entrepot.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Whose word is taken for who a server is. */
final class Trust {

    private Trust() {}

    /**
     * Whether no safe connection could be made, and would not be the next time either: the certificate is wrong, or the other
     * side does not speak TLS as we do. A connection that breaks while it is being made is none of these.
     */
    static boolean isRefusal(IOException e) {
        return e instanceof SSLException && (has(e, CertificateException.class) || isPlain(e)
                || String.valueOf(e.getMessage()).startsWith("Received fatal alert"));
    }

    private static boolean isPlain(IOException e) {
        return String.valueOf(e.getMessage()).contains("plaintext connection");
    }

    private static boolean has(Throwable e, Class<?> kind) {
        return find(e, kind).isPresent();
    }

    private static <T> Optional<T> find(Throwable e, Class<T> kind) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** What is wrong, and what to do. */
    static String words(IOException e) {
        boolean forged = find(e, CertPathValidatorException.class)
                .filter(why -> why.getReason() == BasicReason.INVALID_SIGNATURE).isPresent();
        if (forged || has(e, CertPathBuilderException.class)) {
            return "its certificate is not of an authority that is trusted here; if it is one of your own, give its"
                    + " certificate as a PEM file (ClientConfig.trusting)";
        }
        String own = String.valueOf(e.getMessage());
        return has(e, CertificateException.class)
                ? "its certificate is not valid: " + own
                : isPlain(e) ? "it does not speak HTTPS there; its address may begin with http://" : own;
    }

    /** @throws IllegalArgumentException if there are no certificates in the file */
    static SSLContext in(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException("there is no certificate in " + pem);
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("trusted-" + store.size(), certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory
                    .getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificates in " + pem + " cannot be read: " + e.getMessage(), e);
        }
    }
}
