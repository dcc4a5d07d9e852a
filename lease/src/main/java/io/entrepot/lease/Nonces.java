package io.entrepot.lease;

import java.security.SecureRandom;
import java.util.Random;

/** Where the random half of a {@link Fence} comes from. Implementations are safe for use by many threads. */
@FunctionalInterface
public interface Nonces {

    long next();

    /** Numbers nobody can guess. */
    static Nonces secure() {
        return new SecureNonces(new SecureRandom());
    }

    /** The same numbers for the same seed: for tests and simulations only. */
    static Nonces seeded(long seed) {
        return new Random(seed)::nextLong;
    }
}
