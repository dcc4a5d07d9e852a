package io.entrepot.pool.volume;

import java.nio.ByteBuffer;

/** A blob that is open for reading, and stays readable although it is deleted meanwhile. Safe for use by many threads. */
public interface Blob extends AutoCloseable {

    long size();

    /** Bytes from there on into the buffer; how many, -1 at the end. */
    int read(long position, ByteBuffer into) throws VolumeException, InterruptedException;

    @Override
    void close();
}
