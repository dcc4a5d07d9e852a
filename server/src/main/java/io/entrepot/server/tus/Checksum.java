package io.entrepot.server.tus;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the bytes of a piece should come to. Immutable, but for the array that nobody changes. */
final class Checksum {
    /** In the words of the protocol. */
    static final String ALGORITHMS = Arrays.stream(Algorithm.values()).map(Algorithm::word)
            .collect(Collectors.joining(","));

    private final Algorithm algorithm;
    private final byte[] expected;

    private enum Algorithm {
        SHA256("SHA-256", 32), SHA1("SHA-1", 20), MD5("MD5", 16);

        private final String javaName;
        private final int length;

        Algorithm(String javaName, int length) {
            this.javaName = javaName;
            this.length = length;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        MessageDigest digest() {
            try {
                return MessageDigest.getInstance(javaName);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has " + javaName, e);
            }
        }
    }

    private Checksum(Algorithm algorithm, byte[] expected) {
        this.algorithm = algorithm;
        this.expected = expected;
    }

    /** @throws ProblemException if it is not written as {@code sha1 base64}, or of another algorithm */
    static Checksum parse(String header) {
        String[] parts = header.strip().split(" +", -1);
        Optional<Algorithm> algorithm = Arrays.stream(Algorithm.values()).filter(it -> it.word().equals(parts[0]))
                .findFirst();
        if (algorithm.isEmpty() || parts.length != 2) {
            throw wrong("is written as \"sha256 base64\", with one of " + ALGORITHMS);
        }
        byte[] expected;
        try {
            expected = Base64.getDecoder().decode(parts[1]);
        } catch (IllegalArgumentException e) {
            throw wrong("is not base64: " + e.getMessage());
        }
        if (expected.length != algorithm.get().length) {
            throw wrong("has " + expected.length + " bytes; " + parts[0] + " has " + algorithm.get().length);
        }
        return new Checksum(algorithm.get(), expected);
    }

    private static ProblemException wrong(String what) {
        return new ProblemException(Code.INVALID_VALUE, "\"" + Tus.CHECKSUM + "\": " + what);
    }

    /** The same bytes; the end is refused by a {@link ProblemException} if they are others than they should be. */
    InputStream check(InputStream in) {
        return new Checked(in, this);
    }

    private static final class Checked extends FilterInputStream {
        private final Checksum checksum;
        private final MessageDigest digest;

        Checked(InputStream in, Checksum checksum) {
            super(in);
            this.checksum = checksum;
            this.digest = checksum.algorithm.digest();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int n = super.read(into, offset, length);
            if (n > 0) {
                digest.update(into, offset, n);
            } else if (n < 0 && !MessageDigest.isEqual(digest.digest(), checksum.expected)) {
                throw new ProblemException(Code.CHECKSUM_MISMATCH, "the bytes that came are not those of "
                        + Tus.CHECKSUM + "; nothing of them is kept: send them again");
            }
            return n;
        }
    }
}
