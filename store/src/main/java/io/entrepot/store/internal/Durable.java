package io.entrepot.store.internal;

import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** File operations that are on the disk when they return. */
public final class Durable {

    private static final int PIECE = 64 << 10;

    private Durable() {}

    /** What a failed file operation means to a caller. An interrupt closes the channel that is being written to. */
    public static NotDoneException notDone(String what, IOException e) {
        String system = String.valueOf(e.getMessage());
        return switch (e) {
            case ClosedByInterruptException _ -> NotDoneException.interrupted(what + ": interrupted", e);
            case AccessDeniedException _,FileAlreadyExistsException _,NoSuchFileException _,NotDirectoryException _ ->
                NotDoneException.notWritable(what + ": " + e, e);
            default -> {
                if (isFull(e)) {
                    yield NotDoneException.diskFull(what + ": the disk is full", e);
                }
                yield system.contains("Read-only file system") || system.contains("Is a directory")
                        ? NotDoneException.notWritable(what + ": " + system, e)
                        : NotDoneException.io(what + ": " + e, e);
            }
        };
    }

    /** A new and empty file that only its owner can read: a database holds what its users would not show around. */
    public static void createPrivate(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
    }

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

    /** The directory and all that leads to it: any of them may have been made just now. */
    public static void syncPath(Path directory) throws IOException {
        for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
            try {
                syncDirectory(path);
            } catch (AccessDeniedException e) {
                return; // what we may not even read was not made by us
            }
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

    /**
     * Writes what a file has once more, to another place on the disk; or, if there is no room for that, where it is: then a power cut on
     * the way finds the same bytes, as each is written over by itself.
     */
    public static void anew(Path file) throws IOException {
        try {
            copy(file, file);
        } catch (IOException e) {
            if (!isFull(e)) {
                throw e;
            }
            overwrite(file);
        }
    }

    private static void overwrite(Path file) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = 0;
            while (channel.read(piece.clear(), at) > 0) {
                piece.flip();
                while (piece.hasRemaining()) {
                    at += channel.write(piece, at);
                }
            }
            channel.force(true);
        }
    }

    private static boolean isFull(IOException e) {
        return String.valueOf(e.getMessage()).contains("No space left");
    }

    public static void copy(Path from, Path to) throws IOException {
        Path temporary = to.resolveSibling(to.getFileName() + ".new");
        try {
            Files.copy(from, temporary, StandardCopyOption.REPLACE_EXISTING);
            replace(temporary, to);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
