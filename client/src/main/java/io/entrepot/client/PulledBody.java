package io.entrepot.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, read as it comes: a few pieces wait here, no more, and then the server does. Java's own stream of this
 * kind waits forever for a server that has fallen silent; this one does not.
 *
 * <p>Filled by the HTTP client's threads; read by one thread; {@link #close} may be called by any.
 */
final class PulledBody extends InputStream implements BodySubscriber<PulledBody> {
    private static final int AHEAD = 2;

    /** A piece, or how it ended. */
    private record Piece(List<ByteBuffer> buffers, boolean last, @Nullable Throwable failure) {}

    private final Duration idle;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final CompletableFuture<PulledBody> ready = new CompletableFuture<>();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean closed;
    private Piece current = new Piece(List.of(), false, null);
    private int buffer;

    PulledBody(Duration idle) {
        this.idle = idle;
    }

    @Override
    public CompletionStage<PulledBody> getBody() {
        return ready;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (closed) {
            given.cancel();
        } else {
            given.request(AHEAD);
        }
        ready.complete(this);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        pieces.add(new Piece(buffers, false, null));
    }

    @Override
    public void onError(Throwable failure) {
        pieces.add(new Piece(List.of(), true, failure));
        ready.complete(this);
    }

    @Override
    public void onComplete() {
        pieces.add(new Piece(List.of(), true, null));
    }

    @Override
    public int read() throws IOException {
        ByteBuffer next = next();
        return next == null ? -1 : next.get() & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        ByteBuffer next = next();
        if (next == null) {
            return -1;
        }
        int n = Math.min(length, next.remaining());
        next.get(into, offset, n);
        return n;
    }

    /** What is here and not read; null at the end. */
    private @Nullable ByteBuffer next() throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("closed");
            }
            while (buffer < current.buffers.size()) {
                ByteBuffer one = current.buffers.get(buffer);
                if (one.hasRemaining()) {
                    return one;
                }
                buffer++;
            }
            if (current.last) {
                if (current.failure != null) {
                    throw new IOException("the connection broke: " + current.failure.getMessage(), current.failure);
                }
                return null;
            }
            current = await();
            buffer = 0;
        }
    }

    private Piece await() throws IOException {
        try {
            Piece next = pieces.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                close();
                throw new HttpTimeoutException("nothing came for " + idle);
            }
            Flow.Subscription from = subscription;
            if (from != null) {
                from.request(1);
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new java.io.InterruptedIOException("interrupted while the server's answer was read");
        }
    }

    /** What has not come is not wanted; the connection cannot be used for something else then. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription from = subscription;
        if (from != null) {
            from.cancel();
        }
        pieces.add(new Piece(List.of(), true, new IOException("closed")));
    }
}
