package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.Durable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** A file that takes up space, to be given back when nothing else is left. One thread at a time. */
record Reserve(Path file, long bytes) {
    private static final int PIECE = 64 << 10;

    boolean isThere() {
        return bytes == 0 || file.toFile().length() == bytes;
    }

    /** Takes up the space; all of it or nothing. Of bytes that no file system makes smaller. */
    void make() throws IOException {
        Files.deleteIfExists(file);
        Durable.createPrivate(file);
        SplittableRandom random = new SplittableRandom(bytes);
        byte[] piece = new byte[PIECE];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0;) {
                random.nextBytes(piece);
                left -= channel.write(ByteBuffer.wrap(piece, 0, (int) Math.min(PIECE, left)));
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Says whether there was anything. */
    boolean giveBack() throws IOException {
        return bytes > 0 && Files.deleteIfExists(file);
    }
}
