package io.entrepot.pool.internal;

import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/** Does something before bytes are added. */
record WatchedIncoming(Incoming incoming, Act before) implements Incoming {
    interface Act {
        void run() throws IOException, VolumeException, InterruptedException;
    }

    @Override
    public void write(ByteBuffer content) throws VolumeException, InterruptedException {
        try {
            before.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        incoming.write(content);
    }

    @Override
    public boolean isFile() {
        return incoming.isFile();
    }

    @Override
    public long copy(FileChannel from, long position, long count)
            throws IOException, VolumeException, InterruptedException {
        before.run();
        return incoming.copy(from, position, count);
    }

    @Override
    public void sum(long position, long count, MessageDigest digest) throws VolumeException, InterruptedException {
        incoming.sum(position, count, digest);
    }

    @Override
    public void check() throws VolumeException, InterruptedException {
        incoming.check();
    }

    @Override
    public String id() {
        return incoming.id();
    }

    @Override
    public long size() {
        return incoming.size();
    }

    @Override
    public int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
        return incoming.read(position, into);
    }

    @Override
    public void truncate(long size) throws VolumeException, InterruptedException {
        incoming.truncate(size);
    }

    @Override
    public void force() throws VolumeException, InterruptedException {
        incoming.force();
    }

    @Override
    public void place(BlobPath path, byte[] description) throws VolumeException, InterruptedException {
        incoming.place(path, description);
    }

    @Override
    public void keep() {
        incoming.keep();
    }

    @Override
    public void close() {
        incoming.close();
    }
}
