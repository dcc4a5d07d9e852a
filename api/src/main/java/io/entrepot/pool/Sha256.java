package io.entrepot.pool;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The checksum of a file's bytes. */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
public record Sha256(byte[] bytes) {
    public static final int LENGTH = 32;

    public Sha256 {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a SHA-256 has " + LENGTH + " bytes, not " + bytes.length);
        }
    }

    public static Sha256 parse(String hex) {
        return new Sha256(HexFormat.of().parseHex(hex));
    }

    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sha256 that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
