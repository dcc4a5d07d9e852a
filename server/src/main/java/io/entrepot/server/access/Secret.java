package io.entrepot.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A key with its secret, as its holder has it: {@code ek_ID_SECRET}. It is shown once, and only its hash is kept. */
public record Secret(String id, String text) {
    private static final Pattern WRITTEN = Pattern.compile("ek_([a-z2-7]{12})_([a-z2-7]{52})");
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int ID = 12;
    private static final int SECRET = 52;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** 260 bits that nobody can guess. */
    public static Secret random() {
        return new Secret(random(ID), random(SECRET));
    }

    private static String random(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    public static Optional<Secret> parse(String written) {
        Matcher matcher = WRITTEN.matcher(written);
        return matcher.matches() ? Optional.of(new Secret(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    /** What is kept. The secret is random and long, so that a slow hash would add nothing. */
    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** For its holder alone. */
    public String written() {
        return "ek_" + id + "_" + text;
    }

    @Override
    public String toString() {
        return "ek_" + id + "_***";
    }
}
