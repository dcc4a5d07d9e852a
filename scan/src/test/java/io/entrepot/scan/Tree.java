package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** A directory for a test, in memory where there is a tmpfs; gone with all below at the end, whatever its names are. */
final class Tree implements AutoCloseable {
    private static final Path TMPFS = Path.of("/dev/shm");

    final Path path;
    final BytePath root;

    Tree() throws IOException {
        path = Files.isWritable(TMPFS)
                ? Files.createTempDirectory(TMPFS, "entrepot-scan")
                : Files.createTempDirectory("entrepot-scan");
        root = BytePath.of(path);
    }

    Path file(String relative, int size) throws IOException {
        Path file = path.resolve(relative);
        Files.createDirectories(file.getParent());
        return Files.write(file, new byte[size]);
    }

    Path directory(String relative) throws IOException {
        return Files.createDirectories(path.resolve(relative));
    }

    BytePath at(String relative) {
        return root.resolve(BytePath.of(relative));
    }

    /** Long ago, so that a listing made now is trusted. The ctime stays what it is. */
    void age(String relative, Instant time) throws IOException {
        Files.setLastModifiedTime(path.resolve(relative), FileTime.from(time));
    }

    /** A chain of directories, of any length, without paths. */
    void chain(Name name, int depth) throws IOException {
        Directory directory = FileCalls.system().openDirectory(root);
        for (int i = 0; i < depth; i++) {
            directory.makeDirectory(name);
            Directory next = directory.open(name);
            directory.close();
            directory = next;
        }
        directory.close();
    }

    @Override
    public void close() throws IOException {
        try {
            new ProcessBuilder("rm", "-rf", path.toString()).inheritIO().start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Stat statOf(BytePath path) throws PosixException {
        try (Directory directory = FileCalls.system().openDirectory(path)) {
            return directory.stat();
        }
    }
}
