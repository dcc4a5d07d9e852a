package io.entrepot.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Creates a file of 4 KiB as careful programs do: written, synced, renamed into place, directory synced. */
final class Creator implements Load.Operation {

    private final Path directory;
    private final FileChannel names;
    private final ByteBuffer content = ByteBuffer.allocateDirect(4096);
    private long next;

    Creator(Path directory) throws IOException {
        this.directory = directory;
        this.names = FileChannel.open(directory, StandardOpenOption.READ);
    }

    @Override
    public void once() throws IOException {
        Path fresh = directory.resolve("fresh");
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(content.clear());
            channel.force(true);
        }
        Files.move(fresh, directory.resolve("file-" + next++), StandardCopyOption.ATOMIC_MOVE);
        names.force(true);
    }

    @Override
    public void close() throws IOException {
        names.close();
    }
}
