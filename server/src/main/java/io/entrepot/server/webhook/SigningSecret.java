package io.entrepot.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What messages of one webhook are signed with. Its receiver has it too; nobody else is shown it. */
record SigningSecret(String text) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    /** 256 bits that nobody can guess. */
    static SigningSecret random() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return new SigningSecret("whsec_" + HexFormat.of().formatHex(bytes));
    }

    /** Over the time, a full stop and the body: so an old message cannot be sent again as a new one. */
    String sign(Instant at, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((at.getEpochSecond() + ".").getBytes(StandardCharsets.US_ASCII));
            return "t=" + at.getEpochSecond() + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "whsec_***";
    }
}
