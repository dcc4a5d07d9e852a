package io.entrepot.pool.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A blob that is open for reading. What is read is of the one that was opened: it stays readable although it is deleted or replaced
 * meanwhile where {@linkplain Backend.Traits#held that is so}, and elsewhere there is nothing to read then. Safe for use by many
 * threads.
 */
public interface Blob extends AutoCloseable {

    long size();

    /**
     * Bytes from there on into the buffer; how many, -1 at the end.
     *
     * @throws VolumeException of kind MISSING if it was deleted or replaced, and is not held
     */
    int read(long position, ByteBuffer into) throws VolumeException, InterruptedException;

    /** Whether {@link #copy} works: it is a file of this machine. */
    default boolean isFile() {
        return false;
    }

    /**
     * Copies bytes from there on to where the other one stands, within the system, on the calling thread: it may take as long as either
     * of them does, and an interrupt would close both. How many; none at the end.
     */
    default long copy(long position, long count, FileChannel to) throws IOException {
        throw new UnsupportedOperationException("it is no file");
    }

    @Override
    void close();
}
