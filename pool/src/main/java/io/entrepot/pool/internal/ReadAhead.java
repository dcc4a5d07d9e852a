package io.entrepot.pool.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads ahead of its reader: while one piece is being used, the next ones are read, and checked, by a thread of its own. Between
 * the two are as many buffers as there are, so a slow reader holds no more. For one reader; closed by any thread.
 */
final class ReadAhead implements AutoCloseable {
    private static final int PIECES = 4;

    private final Source source;
    private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(PIECES);
    private final BlockingQueue<Piece> full = new ArrayBlockingQueue<>(PIECES + 1);
    private final Thread thread;
    private @Nullable Piece current;

    /** Where the pieces come from, one after another. */
    interface Source {
        /** How many bytes it has put there; -1 at the end. */
        int next(byte[] into) throws IOException;
    }

    /** @param length -1 at the end */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record Piece(byte[] bytes, int length, @Nullable Throwable failure) {}

    ReadAhead(Source source, int piece) {
        this.source = source;
        for (int i = 0; i < PIECES; i++) {
            empty.add(new byte[piece]);
        }
        this.thread = Thread.ofVirtual().name("read ahead").start(this::run);
    }

    private void run() {
        try {
            int length;
            do {
                byte[] bytes = empty.take();
                length = source.next(bytes);
                full.add(new Piece(bytes, length, null));
            } while (length >= 0);
        } catch (InterruptedException e) {
            full.add(new Piece(new byte[0], -1, new InterruptedIOException("it was closed while it was being read")));
        } catch (Throwable e) { // for the reader
            full.add(new Piece(new byte[0], -1, e));
        }
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
        return thread.isAlive();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
