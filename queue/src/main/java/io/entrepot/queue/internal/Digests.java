package io.entrepot.queue.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What was asked for with a key, in few bytes. Stateless. */
final class Digests {

    private Digests() {}

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
