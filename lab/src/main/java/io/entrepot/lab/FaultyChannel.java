package io.entrepot.lab;

import io.entrepot.posix.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;

/** A channel whose reads, writes and syncs fail or hang as {@link CallFaults} say, with the words a real one would use. */
final class FaultyChannel extends FileChannel {
    private final FileChannel real;
    private final CallFaults faults;

    FaultyChannel(FileChannel real, CallFaults faults) {
        this.real = real;
        this.faults = faults;
    }

    private FileChannel with(String call) throws IOException {
        Optional<Errno> errno = faults.before(call);
        if (errno.isPresent()) {
            throw new IOException(errno.get().meaning());
        }
        return real;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return with("read").read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return with("read").read(into, offset, length);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return with("read").read(into, position);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return with("write").write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return with("write").write(from, offset, length);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return with("write").write(from, position);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return with("size").size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        with("truncate").truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        with("force").force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return with("read").transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return with("write").transferFrom(source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return real.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return real.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }
}
