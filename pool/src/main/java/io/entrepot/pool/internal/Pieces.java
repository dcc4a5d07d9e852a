package io.entrepot.pool.internal;

import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Copies a stream onto a volume piece by piece: while one is being written the next is summed up and the one after it is read, by a
 * thread each, so a file costs the slowest of the three and not their sum. Between them are as many buffers as there are. The
 * thread that copies is the one that reads. Used once.
 */
final class Pieces {
    private static final int PIECE = 512 << 10;
    private static final int BUFFERS = 4;
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final Incoming incoming;
    private final MountedVolume.Room room;
    private final long most;
    private final MessageDigest digest;
    private final BlockingQueue<ByteBuffer> empty = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<ByteBuffer> read = new ArrayBlockingQueue<>(BUFFERS + 2);
    private final BlockingQueue<ByteBuffer> summed = new ArrayBlockingQueue<>(BUFFERS + 2);
    /** Once there is one, nothing more is done with any piece. */
    private volatile @Nullable Throwable failure;
    /** Read, and not written, as there is no room for it. Of the thread that copies alone. */
    private @Nullable ByteBuffer over;

    /**
     * @param size   how much is to come, if known: more is not taken
     * @param digest of what is there already
     */
    Pieces(Incoming incoming, MountedVolume.Room room, OptionalLong size, MessageDigest digest) {
        this.incoming = incoming;
        this.room = room;
        this.most = size.orElse(Long.MAX_VALUE);
        this.digest = digest;
    }

    /**
     * As much as there is room for: more may be {@linkplain #over over}.
     *
     * @return of what was written
     */
    Sha256 copy(byte[] head, InputStream in) throws IOException, VolumeException, InterruptedException {
        if (head.length == 0 && in instanceof FileSource file && file.isAtEnd()) {
            return new Sha256(digest.digest());
        }
        for (int i = 0; i < BUFFERS; i++) {
            // Memory that the system reads into is outside of the heap; an array would be copied on both ways.
            empty.add(in instanceof FileSource ? ByteBuffer.allocateDirect(PIECE) : ByteBuffer.allocate(PIECE));
        }
        long begin = incoming.size();
        Thread.ofVirtual().start(this::sum);
        Thread writing = Thread.ofVirtual().start(this::write);
        try {
            read(head, in, begin);
            read.add(END);
            writing.join();
        } catch (Throwable e) {
            leave(writing, e);
            throw e;
        }
        switch (failure) {
            case null -> {
                return new Sha256(digest.digest());
            }
            case VolumeException why -> throw why;
            case RuntimeException why -> throw why;
            case Error why -> throw why;
            case Throwable why -> throw new IllegalStateException(why);
        }
    }

    /** What was read and found no room; then there may be more where it came from. Nothing if all is written. */
    Optional<ByteBuffer> over() {
        return Optional.ofNullable(over);
    }

    private void read(byte[] head, InputStream in, long begin) throws IOException, InterruptedException {
        int ofHead = 0;
        long taken = begin;
        while (failure == null) {
            ByteBuffer piece = empty.take().clear();
            int there = Math.min(head.length - ofHead, piece.capacity());
            piece.put(head, ofHead, there);
            ofHead += there;
            fill(piece, in);
            int length = piece.flip().remaining();
            if (length == 0) {
                return;
            }
            if (taken + length > most) {
                throw new IOException("more than the " + most + " bytes came that were told");
            }
            if (!room.grow(taken + length)) {
                over = piece;
                return;
            }
            taken += length;
            read.add(piece);
        }
    }

    private static void fill(ByteBuffer piece, InputStream in) throws IOException {
        if (in instanceof FileSource file) {
            file.fill(piece);
        } else {
            int n = in.readNBytes(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining());
            piece.position(piece.position() + n);
        }
    }

    private void sum() {
        try {
            boolean more;
            do {
                ByteBuffer piece = read.take();
                more = piece.hasRemaining();
                sum(piece.duplicate());
                summed.add(piece);
            } while (more);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts it", e);
        }
    }

    private void sum(ByteBuffer piece) {
        if (failure == null) {
            try {
                digest.update(piece);
            } catch (RuntimeException | Error e) { // or whoever writes would wait for ever
                failure = e;
            }
        }
    }

    private void write() {
        try {
            for (ByteBuffer piece = summed.take(); piece.hasRemaining(); piece = summed.take()) {
                write(piece);
                // Of one that was being written when something failed nobody knows whether it still is.
                empty.add(failure == null ? piece : END);
            }
        } catch (InterruptedException e) {
            failure = e;
        }
    }

    private void write(ByteBuffer piece) throws InterruptedException {
        if (failure == null) {
            try {
                incoming.give(piece);
            } catch (VolumeException | RuntimeException | Error e) {
                failure = e;
            }
        }
    }

    /** After a failure of whoever reads. The next thing that is done with the file is to close it, so nobody may be writing. */
    private void leave(Thread writing, Throwable why) {
        failure = why;
        writing.interrupt();
        boolean interrupted = false;
        while (writing.isAlive()) {
            try {
                writing.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        read.add(END); // whoever sums up leaves by himself
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
