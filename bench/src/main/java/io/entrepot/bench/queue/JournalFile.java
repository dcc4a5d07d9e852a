package io.entrepot.bench.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file of checksummed frames, each a length, a checksum and entries. Its space is written in advance, as a real journal
 * recycles its segments: then a sync has data to write but no metadata, which on a journaled file system is more than
 * twice as fast as a file that grows.
 *
 * <p>Use from one thread at a time.
 */
final class JournalFile implements AutoCloseable {

    private static final int HEADER = 8;
    private static final int CAPACITY = 1 << 20;

    private final FileChannel channel;
    private final ByteBuffer frame = ByteBuffer.allocateDirect(CAPACITY);
    private final CRC32C checksum = new CRC32C();
    private long end;

    /** Makes a new file with space for so many bytes, all of it on disk already. */
    JournalFile(Path file, long bytes) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        for (long position = 0; position < bytes; position += CAPACITY) {
            channel.write(ByteBuffer.allocateDirect(CAPACITY), position);
        }
        channel.force(true);
        frame.position(HEADER);
    }

    /** Adds to the frame that is being filled. Not durable yet. */
    void add(JournalEntry entry) throws IOException {
        if (frame.remaining() < JournalEntry.BYTES) {
            write();
        }
        entry.writeTo(frame);
    }

    /** Makes everything added so far durable. */
    void sync() throws IOException {
        write();
        channel.force(false);
    }

    private void write() throws IOException {
        int length = frame.position();
        if (length == HEADER) {
            return;
        }
        checksum.reset();
        checksum.update(frame.duplicate().flip().position(HEADER));
        frame.putInt(0, length - HEADER).putInt(4, (int) checksum.getValue()).flip();
        while (frame.hasRemaining()) {
            end += channel.write(frame, end);
        }
        frame.clear().position(HEADER);
    }

    /** What is in a file, up to the first frame that is not whole: what a restart would find. */
    static List<JournalEntry> read(Path file) throws IOException {
        List<JournalEntry> entries = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(channel.size()));
            while (all.hasRemaining() && channel.read(all) >= 0) {
                // more
            }
            all.flip();
            while (all.remaining() >= HEADER) {
                int length = all.getInt();
                int expected = all.getInt();
                if (length <= 0 || length > all.remaining()) {
                    break;
                }
                CRC32C found = new CRC32C();
                found.update(all.slice(all.position(), length));
                if ((int) found.getValue() != expected) {
                    break;
                }
                for (int stop = all.position() + length; all.position() < stop;) {
                    entries.add(JournalEntry.readFrom(all));
                }
            }
        }
        return entries;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
