package io.entrepot.pool.internal;

import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
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
    private static final Piece END = new Piece(new byte[0], 0);

    private final Incoming incoming;
    private final MountedVolume.Room room;
    private final long most;
    private final MessageDigest digest = Sha256.digest();
    private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<Piece> read = new ArrayBlockingQueue<>(BUFFERS + 2);
    private final BlockingQueue<Piece> summed = new ArrayBlockingQueue<>(BUFFERS + 2);
    /** Once there is one, pieces only go round. */
    private volatile @Nullable Throwable failure;

    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    private record Piece(byte[] bytes, int length) {
        boolean isEnd() {
            return length == 0;
        }
    }

    /** @param size how much is to come, if known: more is not taken */
    Pieces(Incoming incoming, MountedVolume.Room room, OptionalLong size) {
        this.incoming = incoming;
        this.room = room;
        this.most = size.orElse(Long.MAX_VALUE);
    }

    Sha256 copy(byte[] head, InputStream in) throws IOException, VolumeException, InterruptedException {
        for (int i = 0; i < BUFFERS; i++) {
            empty.add(new byte[PIECE]);
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

    private void read(byte[] head, InputStream in, long begin) throws IOException, InterruptedException {
        int ofHead = 0;
        long taken = begin;
        while (failure == null) {
            byte[] bytes = empty.take();
            int there = Math.min(head.length - ofHead, PIECE);
            System.arraycopy(head, ofHead, bytes, 0, there);
            ofHead += there;
            int length = there + in.readNBytes(bytes, there, PIECE - there);
            if (length == 0) {
                return;
            }
            if (taken + length > most) {
                throw new IOException("more than the " + most + " bytes came that were told");
            }
            if (!room.grow(taken + length)) {
                throw new InsufficientStorageException("volume " + room.volume().name()
                        + " has no room for more than " + taken + " bytes");
            }
            taken += length;
            read.add(new Piece(bytes, length));
        }
    }

    private void sum() {
        try {
            Piece piece;
            do {
                piece = read.take();
                sum(piece);
                summed.add(piece);
            } while (!piece.isEnd());
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts it", e);
        }
    }

    private void sum(Piece piece) {
        if (failure == null) {
            try {
                digest.update(piece.bytes, 0, piece.length);
            } catch (RuntimeException | Error e) { // or whoever writes would wait for ever
                failure = e;
            }
        }
    }

    private void write() {
        try {
            for (Piece piece = summed.take(); !piece.isEnd(); piece = summed.take()) {
                write(piece);
                empty.add(piece.bytes);
            }
        } catch (InterruptedException e) {
            failure = e;
        }
    }

    private void write(Piece piece) throws InterruptedException {
        if (failure == null) {
            try {
                incoming.write(ByteBuffer.wrap(piece.bytes, 0, piece.length));
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
