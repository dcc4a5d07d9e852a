package io.entrepot.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends 300 bytes to one file and syncs its data. */
final class Appender implements Load.Operation {

    private final FileChannel channel;
    private final ByteBuffer record = ByteBuffer.allocateDirect(300);

    Appender(Path directory) throws IOException {
        channel = FileChannel.open(directory.resolve("appended"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Override
    public void once() throws IOException {
        channel.write(record.clear());
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
