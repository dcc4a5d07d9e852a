package io.entrepot.pool.volume;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the bytes of a volume are: a directory, or what a {@link BackendProvider} brings, as a bucket. It knows blobs by path and
 * nothing of tenants' rights, queues or quotas. What differs between kinds of storage is in {@link Traits}; what has an
 * implementation here is as a store of objects has it.
 *
 * <p>A blob is placed whole or not at all, and never changed after that. It carries a description: what is needed to know
 * it again if the database is lost. Whether a blob that was placed is durable at once depends: see {@link Traits#durable}.
 *
 * <p>What an answer says is known: one that did not come is asked for again by the backend, or the call {@linkplain
 * VolumeException.Kind#HANGS hangs}, which is the only failure after which something may have happened. A failure of kind BROKEN,
 * HANGS or NOT_THE_VOLUME takes the volume out of use until it is tried again, so what passes by itself is not told as one.
 *
 * <p>Implementations are safe for use by many threads. Calls block, are made on any thread, virtual ones too, and come back
 * even if the storage hangs: then with {@link VolumeException.Kind#HANGS}. Interrupts end them early with
 * {@link InterruptedException}; what was begun may then have happened or not. A buffer is its caller's again when the call is
 * over, however it ended: what is put into it later does not become a blob, and nothing is read into it later.
 */
public interface Backend extends AutoCloseable {
    /** Of a description, in bytes. Buckets take no more beside an object, nor do file systems for sure. */
    int LONGEST_DESCRIPTION = 1536;

    /**
     * What it is like.
     *
     * @param durable   placing makes durable at once, so {@link #sync} has nothing to do (a bucket)
     * @param described blobs carry their descriptions; if not, only what the path says is known of a lost file
     * @param local     blobs are files that other programs on this machine can open
     * @param held      a blob that is open stays readable when it is deleted or replaced. If not, {@link Blob#read} then says
     *                  MISSING, and whoever reads opens the file where it is now
     */
    record Traits(boolean durable, boolean described, boolean local, boolean held) {
        /** A store of objects. */
        public static final Traits OBJECTS = new Traits(true, true, false, false);
    }

    /** @param free what can still be written by us, not what is reserved for others */
    record Space(long total, long free) {
        /** Of storage that has no end, so many that a hundred of them can be added up: 64 PiB. */
        public static final Space BOUNDLESS = new Space(1L << 56, 1L << 56);
    }

    /**
     * A blob as found.
     *
     * @param changed when the storage last saw a change of it, in milliseconds of its clock
     * @param whole   if not, it is no blob: it is being put just now, or a crash came while it was
     */
    record Stored(BlobPath path, long size, long changed, boolean whole) {}

    /** Something on the volume that is no blob of ours; {@code path} is for people, with odd bytes escaped. */
    record Stray(String path, long size, long changed) {}

    Traits traits();

    /**
     * A small blob in one step. Not durable before {@link #sync}, unless {@link Traits#durable}. If it fails for another reason
     * than that it hangs, there is no such blob.
     *
     * @param content     all that remains in it
     * @param description up to {@link #LONGEST_DESCRIPTION} bytes
     * @throws VolumeException of kind EXISTS if there is a blob at that path
     */
    void put(BlobPath path, ByteBuffer content, byte[] description) throws VolumeException, InterruptedException;

    /**
     * The same, and its caller does something else meanwhile. Whatever comes of it, {@link Putting#await} says.
     *
     * @param content left alone by its caller for good
     * @param placed  is run when the blob is there, before that is told; what it throws is told instead
     * @throws VolumeException if it cannot even be begun
     */
    default Putting putting(BlobPath path, ByteBuffer content, byte[] description, Runnable placed)
            throws VolumeException {
        return PutAside.start(this, path, content, description, placed);
    }

    /** A small blob that is being put. Safe for use by many threads; one of them waits. */
    interface Putting {
        /** Whether it has ended, well or not. */
        boolean isOver();

        /** Whether the blob is there. */
        boolean isPut();

        /** Whether it was not too late for that: then there is no such blob, nor will be. */
        boolean giveUp();

        /** Waits for the end, and throws what {@link Backend#put} would. */
        void await() throws VolumeException, InterruptedException;
    }

    /** A small blob that is to be put. */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record NewBlob(BlobPath path, ByteBuffer content, byte[] description) {}

    /**
     * Many small blobs, in their order, up to the first that cannot be: says how many are there. Why the next one is not, putting
     * it by itself says. If it hangs, some of them may be there, or come to be.
     */
    default int putAll(List<NewBlob> blobs) throws VolumeException, InterruptedException {
        return PutAside.all(this, blobs);
    }

    /** One in place of what is there, if anything: whoever opens it finds the one or the other. */
    void replace(BlobPath path, ByteBuffer content, byte[] description) throws VolumeException, InterruptedException;

    /**
     * A blob of any size, piece by piece; it has no path until it is placed. Where nothing can be added to what is stored, its
     * pieces are kept beside the blobs under names of their own, and put together within the storage when it is placed.
     */
    Incoming begin() throws VolumeException, InterruptedException;

    /** A blob that was begun before, maybe before a restart, to go on with. Nothing if it is gone. */
    Optional<Incoming> resume(String id) throws VolumeException, InterruptedException;

    /** The blobs that were begun and neither placed nor dropped, with their ids and when they last changed. */
    void begun(Consumer<Begun> visitor) throws VolumeException, InterruptedException;

    record Begun(String id, long size, long changed) {}

    /** Says whether there was one. */
    boolean dropBegun(String id) throws VolumeException, InterruptedException;

    /** @throws VolumeException of kind MISSING if there is no such blob */
    Blob open(BlobPath path) throws VolumeException, InterruptedException;

    /** What is at that path, be it {@linkplain Stored#whole whole} or not. */
    Optional<Stored> look(BlobPath path) throws VolumeException, InterruptedException;

    default Optional<Stored> find(BlobPath path) throws VolumeException, InterruptedException {
        return look(path).filter(Stored::whole);
    }

    /**
     * Nothing if it carries none, as where they are not {@linkplain Traits#described described}.
     *
     * @throws VolumeException of kind MISSING if there is no such blob
     */
    Optional<byte[]> description(BlobPath path) throws VolumeException, InterruptedException;

    /**
     * That there is none afterwards. Not durable before {@link #sync}, unless {@link Traits#durable}.
     *
     * @return false if there was none; storage that does not say so is not asked
     */
    boolean delete(BlobPath path) throws VolumeException, InterruptedException;

    /**
     * Everything placed or deleted before this call began is durable when it returns. When it has failed, what was placed since
     * it last succeeded may be lost, by whomever, and it never succeeds again: the volume has to be opened anew. That it hangs
     * is no failure yet. Where all is durable at once, it does nothing.
     */
    default void sync() throws VolumeException, InterruptedException {}

    /**
     * All blobs, what is left of such that were to be, and everything else that lies about but directories, in no order; what comes
     * and goes meanwhile may be seen or not, and what was there all the time is seen once. Nothing of what is its own, as what was
     * begun. May ask for some at a time. Visitors are called on the calling thread, and may use this backend.
     */
    void walk(Consumer<Stored> blobs, Consumer<Stray> strays) throws VolumeException, InterruptedException;

    /**
     * Keeps a small text beside the blobs, durably, in the place of the one before: the pool's settings, for whoever finds the
     * volume without its database: {@link BackendProvider#find} finds it. Only for its owner to read. Storage that cannot do that
     * does nothing.
     */
    default void keepSettings(byte[] settings) throws VolumeException, InterruptedException {}

    /** It is nobody's volume any more, and may become another one. What is on it stays. Nothing else is asked of this after that. */
    default void release() throws VolumeException, InterruptedException {}

    Space space() throws VolumeException, InterruptedException;

    /** Tries whether it is still the same volume and can be written and read; throws if not. */
    void probe() throws VolumeException, InterruptedException;

    /** Where other programs find it, if {@link Traits#local}. */
    default Optional<Path> path(BlobPath path) {
        return Optional.empty();
    }

    /** Removes directories that hold nothing, if there is such a thing here. */
    default EmptyDirectories emptyDirectories() {
        return EmptyDirectories.NONE;
    }

    /** Blobs that are open, and what was begun, can still be used, and are closed by whoever has them. */

    @Override
    void close();
}
