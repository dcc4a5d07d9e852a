package io.entrepot.pool.internal;

import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/**
 * A file that has become larger than its volume has room for, from its beginning: what was written there, what was read and found
 * no room, and what is still to come. Its caller's stream stays open when this is closed, as it does otherwise. For one thread.
 */
final class Outgrown extends InputStream {
    private final MountedVolume volume;
    private final Incoming written;
    private final ByteBuffer over;
    private final InputStream rest;
    private long at;

    Outgrown(MountedVolume volume, Incoming written, ByteBuffer over, InputStream rest) {
        this.volume = volume;
        this.written = written;
        this.over = over;
        this.rest = rest;
    }

    MountedVolume volume() {
        return volume;
    }

    /** As far as it is known. */
    long size() {
        return written.size() + over.remaining();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at < written.size()) {
            return readWritten(ByteBuffer.wrap(into, offset, length));
        }
        if (over.hasRemaining()) {
            int n = Math.min(length, over.remaining());
            over.get(into, offset, n);
            return n;
        }
        return rest.read(into, offset, length);
    }

    private int readWritten(ByteBuffer into) throws IOException {
        try {
            int n = written.read(at, into);
            if (n <= 0) {
                throw new VolumeException(VolumeException.Kind.BROKEN, "what was written ends after " + at + " of "
                        + written.size() + " bytes", null);
            }
            at += n;
            return n;
        } catch (VolumeException e) {
            throw Writing.unavailable(volume, e); // no failure of the caller's stream
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("while a file was copied from volume " + volume.name());
        }
    }
}
