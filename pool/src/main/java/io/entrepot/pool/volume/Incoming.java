package io.entrepot.pool.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * A blob that is being written. Closing it without having placed or kept it drops it. For one thread at a time. After a call
 * that hung or was interrupted it can be closed or kept, and nothing else. One that {@link Backend#dropBegun} has taken away is
 * written in vain, or says MISSING; nothing is left of it when it is closed or kept.
 */
public interface Incoming extends AutoCloseable {

    /** Names it until it is placed: up to 200 letters, digits and {@code . _ -}; see {@link Backend#resume}. */
    String id();

    /** After a write that failed, what is there for sure: one can go on from it. */
    long size();

    /** Adds all of the buffer at the end. */
    void write(ByteBuffer content) throws VolumeException, InterruptedException;

    /**
     * The same, without a copy of it if it is long: a call that hangs may still read from it. So if this fails its caller leaves the
     * buffer alone for good.
     */
    default void give(ByteBuffer content) throws VolumeException, InterruptedException {
        write(content);
    }

    /** What was written so far, from there on, into the buffer; how many bytes, -1 at the end. */
    int read(long position, ByteBuffer into) throws VolumeException, InterruptedException;

    /** Whether {@link #copy} works: it is to become a file of this machine. */
    default boolean isFile() {
        return false;
    }

    /**
     * Adds bytes of a file from there on at the end, within the system, on the calling thread: it may take as long as either of them
     * does, and an interrupt would close both. How many; none at the end. While one thread does so another may {@link #sum} what has
     * come, or {@link #check}; nothing else can be done meanwhile but to close it. After a failure of the volume it can only be closed.
     *
     * @throws IOException of either of the two
     */
    default long copy(FileChannel from, long position, long count)
            throws IOException, VolumeException, InterruptedException {
        throw new UnsupportedOperationException("it is no file");
    }

    /** Puts so many of the bytes that have come into a checksum. */
    default void sum(long position, long count, MessageDigest digest) throws VolumeException, InterruptedException {
        throw new UnsupportedOperationException("it is no file");
    }

    /** Does nothing but to fail if its volume does. */
    default void check() throws VolumeException, InterruptedException {
        force();
    }

    /** Cuts off what is behind. */
    void truncate(long size) throws VolumeException, InterruptedException;

    /** What was written so far is durable when this returns, and so is that it was begun. */
    void force() throws VolumeException, InterruptedException;

    /**
     * Makes it a blob, durable when this returns: its bytes, its description and its name. Nothing else can be done with it
     * after that. If this fails for another reason than that it hangs, there is no such blob.
     *
     * @throws VolumeException of kind EXISTS if there is a blob at that path
     */
    void place(BlobPath path, byte[] description) throws VolumeException, InterruptedException;

    /** Closes it without dropping it: it can be resumed, with what was forced and maybe more of what was written. */
    void keep();

    @Override
    void close();
}
