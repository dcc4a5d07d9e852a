package io.entrepot.pool.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/** A file of this machine as a stream, which whoever copies much of it can read without a detour through the heap. For one thread. */
public final class FileSource extends InputStream {
    private final FileChannel channel;
    private final LongConsumer read;
    private boolean lent;
    private long told;

    private FileSource(FileChannel channel, LongConsumer read) {
        this.channel = channel;
        this.read = read;
    }

    /** @param read told of the bytes that were read each time */
    public static FileSource open(Path path, LongConsumer read) throws IOException {
        return new FileSource(FileChannel.open(path, StandardOpenOption.READ), read);
    }

    public long size() throws IOException {
        return channel.size();
    }

    /** For a thread that reads from it by itself, until it is told to be {@linkplain #returned back}. */
    FileChannel lend() {
        lent = true;
        return channel;
    }

    /** @param at what comes next */
    void returned(long at) throws IOException {
        lent = false;
        channel.position(at);
    }

    /** As far as that it was read, by whoever was lent it too. What is read once more is not told once more. */
    void readTo(long position) {
        if (position > told) {
            read.accept(position - told);
            told = position;
        }
    }

    /** As far as its length tells. */
    boolean isAtEnd() throws IOException {
        return channel.position() == channel.size();
    }

    /** As much as there is room for, or is left. */
    void fill(ByteBuffer into) throws IOException {
        while (into.hasRemaining() && counted(channel.read(into)) >= 0) {
            // A read may be short.
        }
    }

    private int counted(int n) throws IOException {
        if (n > 0) {
            readTo(channel.position());
        }
        return n;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return length == 0 ? 0 : counted(channel.read(ByteBuffer.wrap(into, offset, length)));
    }

    /** To close a channel is to wait for whoever is in it, who may never come back if it was lent. */
    @Override
    public void close() throws IOException {
        if (lent) {
            Thread.ofPlatform().daemon().name("entrepot closes a file").start(this::closeLent);
        } else {
            channel.close();
        }
    }

    private void closeLent() {
        try {
            channel.close();
        } catch (IOException e) {
            // It was only read.
        }
    }
}
