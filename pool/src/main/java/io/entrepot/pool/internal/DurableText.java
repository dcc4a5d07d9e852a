package io.entrepot.pool.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Small files in the data directory, readable by their owner only; whole, or as before. */
final class DurableText {

    private DurableText() {}

    static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.createDirectories(directoryOf(file));
        Files.deleteIfExists(fresh);
        FileAttribute<?>[] ownerOnly = fresh.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                : new FileAttribute<?>[0];
        try (FileChannel channel = FileChannel.open(fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectory(file);
    }

    static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        syncDirectory(file);
    }

    private static void syncDirectory(Path file) throws IOException {
        try (FileChannel names = FileChannel.open(directoryOf(file), StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static Path directoryOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }
}
