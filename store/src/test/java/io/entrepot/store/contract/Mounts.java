package io.entrepot.store.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system in memory, or a look at a directory that cannot write. Needs root on Linux, or the test is skipped. */
public final class Mounts implements AutoCloseable {
    private final Path at;

    private Mounts(Path at) {
        this.at = at;
    }

    public static Mounts tmpfs(Path at, int mebibytes) {
        return mount(at, "mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", at.toString());
    }

    /** The same files as in {@code of}, read-only. */
    public static Mounts readOnly(Path of, Path at) {
        return mount(at, "mount", "-o", "bind,ro", of.toString(), at.toString());
    }

    private static Mounts mount(Path at, String... command) {
        try {
            Files.createDirectories(at);
            assumeTrue(run(command), "cannot mount here, which needs root on Linux");
        } catch (IOException e) {
            assumeTrue(false, "cannot mount here: " + e);
        }
        return new Mounts(at);
    }

    private static boolean run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (!run("umount", at.toString())) {
            throw new IOException(at + " cannot be unmounted");
        }
    }
}
