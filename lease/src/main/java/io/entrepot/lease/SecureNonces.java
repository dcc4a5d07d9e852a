package io.entrepot.lease;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Drawn by the dozen, which costs hardly more than to draw one. Safe for use by many threads. */
final class SecureNonces implements Nonces {
    private static final int AT_ONCE = 64;

    private final SecureRandom random;
    private final ByteBuffer drawn = ByteBuffer.allocate(AT_ONCE * Long.BYTES).limit(0);

    SecureNonces(SecureRandom random) {
        this.random = random;
    }

    @Override
    public synchronized long next() {
        if (!drawn.hasRemaining()) {
            drawn.clear();
            random.nextBytes(drawn.array());
        }
        return drawn.getLong();
    }
}
