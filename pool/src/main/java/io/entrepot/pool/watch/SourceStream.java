package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * The bytes of a source, read on the threads of its mount. Its end is only reached if the source is the same as at the
 * beginning; otherwise reading fails, and with it whoever stores it. For one thread.
 */
final class SourceStream extends InputStream {
    private static final int PIECE = 1 << 20;

    private final SourceTree tree;
    private final BytePath path;
    private final Stat stat;
    private final Optional<FileChannel> rest;
    private ByteBuffer piece;
    private long read;
    private boolean ended;

    SourceStream(SourceTree tree, BytePath path, SourceTree.Head head) {
        this.tree = tree;
        this.path = path;
        this.stat = head.stat();
        this.rest = head.rest();
        this.piece = ByteBuffer.wrap(head.bytes());
        this.read = head.bytes().length;
        this.ended = rest.isEmpty();
    }

    Stat stat() {
        return stat;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!piece.hasRemaining()) {
            if (ended) {
                return -1;
            }
            next();
        }
        int n = Math.min(length, piece.remaining());
        piece.get(into, offset, n);
        return n;
    }

    private void next() throws IOException {
        FileChannel channel = rest.orElseThrow();
        try {
            // A new one each time: a call that hangs may still write into the one it was given.
            ByteBuffer more = ByteBuffer.allocate((int) Math.min(PIECE, Math.max(1, stat.size() - read + 1)));
            int n = tree.on(() -> channel.read(more));
            if (n < 0) {
                tree.requireUnchanged(path, stat, read);
                ended = true;
            } else {
                read += n;
                piece = more.flip();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("reading " + path + " was interrupted");
        }
    }

    /** What it was read from may hang: then it is closed when it no longer does. */
    @Override
    public void close() {
        rest.ifPresent(channel -> {
            try {
                tree.on(() -> {
                    channel.close();
                    return true;
                });
            } catch (IOException | IllegalStateException e) {
                closeLater(channel);
            } catch (InterruptedException e) {
                closeLater(channel);
                Thread.currentThread().interrupt();
            }
        });
    }

    private void closeLater(FileChannel channel) {
        Thread.ofPlatform().daemon().name("close " + path).start(() -> {
            try {
                channel.close();
            } catch (IOException e) {
                // It was only read.
            }
        });
    }
}
