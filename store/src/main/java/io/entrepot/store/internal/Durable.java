package io.entrepot.store.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** File operations that are on the disk when they return. */
public final class Durable {

    private Durable() {}

    public static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** A new, renamed or deleted name is durable only once its directory is. */
    public static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** As {@link Files#createDirectories}: what is made is there after a power cut, with all that leads to it. */
    public static void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            syncDirectory(parent);
        }
    }

    /** Puts {@code from} in the place of {@code to}: afterwards it is the one or the other, whatever happens. */
    public static void replace(Path from, Path to) throws IOException {
        sync(from);
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path directory = to.toAbsolutePath().getParent();
        if (directory != null) {
            syncDirectory(directory);
        }
    }

    public static void copy(Path from, Path to) throws IOException {
        Path temporary = to.resolveSibling(to.getFileName() + ".new");
        Files.copy(from, temporary, StandardCopyOption.REPLACE_EXISTING);
        replace(temporary, to);
    }
}
