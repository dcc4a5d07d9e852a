package io.entrepot.scan;

import java.nio.file.Path;

/** Mounts for tests, where that is allowed. */
final class Mounting {

    private Mounting() {}

    /** An empty tmpfs; false if it may not be. */
    static boolean mount(Path point) throws Exception {
        return run("mount", "-t", "tmpfs", "entrepot-test", point.toString()) == 0;
    }

    static boolean unmount(Path point) throws Exception {
        return run("umount", point.toString()) == 0;
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor();
    }
}
