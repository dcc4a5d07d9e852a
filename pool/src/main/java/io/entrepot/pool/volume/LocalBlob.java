package io.entrepot.pool.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open for reading. A read that hangs may come back when its caller's buffer has become somebody else's, so it
 * goes into a buffer of ours first. Safe for use by many threads: the channel is, and it is closed when the last read has left.
 */
final class LocalBlob implements Blob {
    /** More in one read brings nothing, and buffers are kept as large as they were needed. */
    private static final int MOST_AT_ONCE = 512 << 10;

    private final MountThreads threads;
    private final BlobPath path;
    private final FileChannel channel;
    private final long size;
    private final Shared use;
    private final AtomicReference<@Nullable ByteBuffer> spare = new AtomicReference<>();

    LocalBlob(MountThreads threads, BlobPath path, FileChannel channel, long size) {
        this.threads = threads;
        this.path = path;
        this.channel = channel;
        this.size = size;
        this.use = new Shared(() -> close(channel));
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
        if (!into.hasRemaining()) {
            return 0;
        }
        ByteBuffer buffer = buffer(Math.min(into.remaining(), MOST_AT_ONCE));
        int read = threads.call(path, () -> read(position, channel, buffer));
        if (read > 0) {
            into.put(buffer.flip());
        }
        spare.set(buffer); // only now, when no thread fills it any more
        return read;
    }

    private int read(long position, FileChannel from, ByteBuffer buffer) throws IOException {
        if (!use.enter()) {
            throw new IllegalStateException(path + " is closed");
        }
        try {
            return from.read(buffer, position);
        } finally {
            use.leave();
        }
    }

    @Override
    public boolean isFile() {
        return true;
    }

    @Override
    public long copy(long position, long count, FileChannel to) throws IOException {
        if (!use.enter()) {
            throw new IllegalStateException(path + " is closed");
        }
        try {
            return channel.transferTo(position, count, to);
        } finally {
            use.leave();
        }
    }

    private ByteBuffer buffer(int length) {
        ByteBuffer kept = spare.getAndSet(null);
        return kept != null && kept.capacity() >= length
                ? kept.clear().limit(length)
                : ByteBuffer.allocate(length);
    }

    @Override
    public void close() {
        if (!use.isClosed()) {
            threads.finish(use::close);
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Of what was only read nothing can be lost.
        }
    }
}
