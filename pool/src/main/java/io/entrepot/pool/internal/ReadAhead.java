package io.entrepot.pool.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads ahead of its reader: while one piece is being used the next is checked and the one after it is read, by a thread each.
 * Between them are as many buffers as there are, so a slow reader holds no more. For one reader; closed by any thread.
 */
final class ReadAhead implements AutoCloseable {
    private static final int PIECES = 4;

    private final Source source;
    private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(PIECES);
    private final BlockingQueue<Piece> read = new ArrayBlockingQueue<>(PIECES + 1);
    private final BlockingQueue<Piece> full;
    private final Thread reading;
    private final Optional<Thread> checking;
    private @Nullable Piece current;

    /** Where the pieces come from, one after another. */
    interface Source {
        /** How many bytes it has put there; -1 at the end. */
        int next(byte[] into) throws IOException;
    }

    /** What is to be done with each piece, one after another, before the reader has it. */
    interface Check {
        void check(byte[] bytes, int length);
    }

    /** @param length -1 at the end */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record Piece(byte[] bytes, int length, @Nullable Throwable failure) {
        static Piece failed(Throwable why) {
            return new Piece(new byte[0], -1, why);
        }
    }

    ReadAhead(Source source, Optional<Check> check, int piece) {
        this.source = source;
        for (int i = 0; i < PIECES; i++) {
            empty.add(new byte[piece]);
        }
        this.full = check.isPresent() ? new ArrayBlockingQueue<>(PIECES + 1) : read;
        this.reading = Thread.ofVirtual().name("read ahead").start(this::read);
        this.checking = check.map(it -> Thread.ofVirtual().name("check ahead").start(() -> check(it)));
    }

    private void read() {
        try {
            int length;
            do {
                byte[] bytes = empty.take();
                length = source.next(bytes);
                read.add(new Piece(bytes, length, null));
            } while (length >= 0);
        } catch (InterruptedException e) {
            read.add(closed());
        } catch (Throwable e) { // for the reader
            read.add(Piece.failed(e));
        }
    }

    private void check(Check check) {
        try {
            Piece piece;
            do {
                piece = read.take();
                if (piece.length > 0) {
                    check.check(piece.bytes, piece.length);
                }
                full.add(piece);
            } while (piece.length >= 0);
        } catch (InterruptedException e) {
            full.add(closed());
        } catch (Throwable e) { // for the reader
            full.add(Piece.failed(e));
        }
    }

    private static Piece closed() {
        return Piece.failed(new InterruptedIOException("it was closed while it was being read"));
    }

    /** The next piece; the one before is not the reader's any more. */
    Piece next() throws IOException {
        Piece piece = current;
        if (piece == null || piece.failure == null) {
            piece = take(piece);
            current = piece;
        }
        switch (piece.failure) {
            case null -> {
                return piece;
            }
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private Piece take(@Nullable Piece before) throws InterruptedIOException {
        try {
            Piece next = full.take();
            if (before != null) {
                empty.add(before.bytes);
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("reading was interrupted");
        }
    }

    boolean isRunning() {
        return reading.isAlive() || checking.filter(Thread::isAlive).isPresent();
    }

    @Override
    public void close() {
        reading.interrupt();
        checking.ifPresent(Thread::interrupt);
    }
}
