package io.entrepot.lab;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Skips a test, with the reason, on machines where it cannot run. */
final class Needs {

    private Needs() {}

    static void loopDisks() {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
    }
}
