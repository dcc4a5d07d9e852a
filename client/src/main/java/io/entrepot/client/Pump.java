package io.entrepot.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream as the body of a request: read by the caller's own thread, one piece when the connection asks for one, so that
 * nothing is kept in memory and nobody reads the caller's stream after the call.
 *
 * <p>The last piece is sent only when the stream has ended with as many bytes as were told. So if {@link #isGivenWhole} is false,
 * the server cannot have stored anything. {@link #run} belongs to one thread; the rest is for the HTTP client's.
 */
final class Pump implements BodyPublisher {
    private static final int PIECE = 64 << 10;

    private final OptionalLong size;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
    private long demand;
    private boolean over;
    private volatile boolean givenWhole;

    Pump(OptionalLong size) {
        this.size = size;
    }

    @Override
    public long contentLength() {
        return size.orElse(-1);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> given) {
        given.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                locked(() -> demand = Math.max(demand, demand + n));
            }

            @Override
            public void cancel() {
                finish();
            }
        });
        locked(() -> subscriber = given);
    }

    /** There is an answer, or there will be none: nothing more is wanted. */
    void finish() {
        locked(() -> over = true);
    }

    /** Everything was handed over: whatever went wrong afterwards, it may have been stored. */
    boolean isGivenWhole() {
        return givenWhole;
    }

    /**
     * Until everything is sent, or nothing more is wanted.
     *
     * @throws SourceException if the stream fails, or brings another number of bytes than was told
     */
    void run(InputStream in, Duration idle) throws InterruptedException, IOException {
        if (!awaitDemand(idle)) {
            return; // nothing is read that nobody wants: then it can be sent again
        }
        long sent = 0;
        byte[] next = piece(in);
        while (awaitDemand(idle)) {
            byte[] now = next;
            next = now.length == 0 ? now : piece(in);
            sent += now.length;
            if (size.isPresent() && (sent > size.getAsLong() || (next.length == 0 && sent != size.getAsLong()))) {
                throw failed(new IOException("the stream brought " + (sent < size.getAsLong() ? "only " : "at least ")
                        + sent + " bytes, not " + size.getAsLong() + " as was told"));
            }
            boolean last = next.length == 0;
            if (last) {
                givenWhole = true;
            }
            give(now, last);
            if (last) {
                return;
            }
        }
    }

    private byte[] piece(InputStream in) {
        try {
            return in.readNBytes(PIECE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private SourceException failed(IOException e) {
        Flow.Subscriber<? super ByteBuffer> to = subscriber;
        if (to != null) {
            to.onError(e); // breaks the connection off: the server sees that this is not the end
        }
        return new SourceException(e);
    }

    private void give(byte[] piece, boolean last) {
        Flow.Subscriber<? super ByteBuffer> to = subscriber;
        if (to == null) {
            return;
        }
        locked(() -> demand--);
        if (piece.length > 0) {
            to.onNext(ByteBuffer.wrap(piece));
        }
        if (last) {
            to.onComplete();
        }
    }

    /** False if nothing more is wanted. */
    private boolean awaitDemand(Duration idle) throws InterruptedException, IOException {
        lock.lock();
        try {
            long left = idle.toNanos();
            while (!over && (subscriber == null || demand == 0)) {
                if (left <= 0) {
                    throw new HttpTimeoutException("the server took nothing for " + idle);
                }
                left = changed.awaitNanos(left);
            }
            return !over;
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable step) {
        lock.lock();
        try {
            step.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
