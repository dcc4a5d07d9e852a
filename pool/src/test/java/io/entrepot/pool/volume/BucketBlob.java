package io.entrepot.pool.volume;

import java.nio.ByteBuffer;
import java.util.Optional;

/** An object that is read in ranges, and only as the one it was. Safe for use by many threads. */
final class BucketBlob implements Blob {
    private static final int MOST_AT_ONCE = 1 << 20;

    private final BucketCalls calls;
    private final BlobPath path;
    private final Bucket.Head head;
    private volatile boolean closed;

    BucketBlob(BucketCalls calls, BlobPath path, Bucket.Head head) {
        this.calls = calls;
        this.path = path;
        this.head = head;
    }

    @Override
    public long size() {
        return head.size();
    }

    @Override
    public int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
        if (closed) {
            throw new IllegalStateException(path + " is closed");
        }
        if (!into.hasRemaining() || position >= head.size()) {
            return into.hasRemaining() ? -1 : 0;
        }
        int length = Math.min(into.remaining(), MOST_AT_ONCE);
        byte[] read;
        try {
            read = calls.call(path, () -> calls.bucket().get(calls.key(path), position, length,
                    Optional.of(head.version())));
        } catch (VolumeException e) {
            throw e.kind() == VolumeException.Kind.EXISTS
                    ? new VolumeException(VolumeException.Kind.MISSING, path + " was replaced", e)
                    : e;
        }
        into.put(read);
        return read.length;
    }

    @Override
    public void close() {
        closed = true;
    }
}
