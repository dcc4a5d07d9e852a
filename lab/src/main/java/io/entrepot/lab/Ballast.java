package io.entrepot.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that takes up the space of a file system. Use from one thread at a time. */
final class Ballast {

    private static final int LARGEST = 1 << 20;

    private final Path file;

    Ballast(Path file) {
        this.file = file;
    }

    /** Grows until not one block more is to be had, then gives back so many bytes. */
    void fill(long leave) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
            for (int size = LARGEST; size >= 512; size /= 2) {
                grow(channel, size);
            }
            channel.truncate(Math.max(0, channel.size() - leave));
            // Space given back by a truncation, and space promised to late writes, is settled only now.
            channel.force(true);
        }
    }

    private static void grow(FileChannel channel, int size) {
        try {
            while (channel.write(ByteBuffer.allocate(size)) == size) {
                // more
            }
        } catch (IOException full) {
            // The disk is full for this size: what this class is for.
        }
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }
}
