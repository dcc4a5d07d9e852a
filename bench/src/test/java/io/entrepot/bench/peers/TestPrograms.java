package io.entrepot.bench.peers;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;

/** Programs of peers for tests, fetched once and kept until {@code mvn clean}. */
public final class TestPrograms {

    /** Which program. */
    @FunctionalInterface
    public interface Choice {
        Program of(Programs programs) throws IOException;
    }

    private TestPrograms() {}

    /** Skips the test, with the reason, where the program cannot be had. */
    public static Program orSkip(Choice choice) {
        try {
            return choice.of(new Programs(TestCache.PEERS));
        } catch (IOException e) {
            return abort("" + e.getMessage());
        }
    }
}
