package io.entrepot.client;

import io.entrepot.pool.PoolException;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, or of a part of it, as they come. A connection that breaks is made again, and it goes on where it was, but
 * only if the file is still the same one ({@code If-Match}). It gives up when no more bytes came for as long as the transport
 * tries. For one thread.
 */
final class Download extends InputStream {
    /** In a row, without a single byte: the server answers, and cuts each time. */
    private static final int MOST_BREAKS = 20;

    private final Transport transport;
    private final String path;
    private final String tag;
    private final long end;
    private long position;
    private @Nullable PulledBody body;
    private int breaks;
    private boolean closed;

    /** @param first an answer that is there already and begins at {@code from} */
    Download(Transport transport, String path, String tag, long from, long end, @Nullable PulledBody first) {
        this.transport = transport;
        this.path = path;
        this.tag = tag;
        this.position = from;
        this.end = end;
        this.body = first;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (length == 0) {
            return 0;
        }
        while (position < end) {
            int n = readOnce(into, offset, (int) Math.min(length, end - position));
            if (n > 0) {
                position += n;
                breaks = 0;
                return n;
            }
        }
        return -1;
    }

    /** 0 or less if the connection broke: it is made again by the next one. */
    private int readOnce(byte[] into, int offset, int length) throws IOException {
        PulledBody from = body;
        if (from == null) {
            from = connect();
            body = from;
        }
        try {
            int n = from.read(into, offset, length);
            if (n < 0) {
                broken("the server's answer ended early", null);
            }
            return n;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            broken(String.valueOf(e.getMessage()), e);
            return 0;
        }
    }

    private void broken(String why, @Nullable IOException cause) throws IOException {
        if (body != null) {
            body.close();
        }
        body = null;
        if (++breaks > MOST_BREAKS || transport.config().deadline().isZero()) {
            throw new IOException("the download broke off at byte " + position + ": " + why, cause);
        }
    }

    private PulledBody connect() throws IOException {
        Ask ask = Ask.get(path).asItComes().with("If-Match", tag).with("Range", "bytes=" + position + "-" + (end - 1));
        try {
            Answer answer = transport.send(ask);
            String range = answer.headers().firstValue("Content-Range").orElse("");
            if (answer.status() != 206 || !range.startsWith("bytes " + position + "-")) {
                answer.stream().close();
                throw new IOException("the server does not go on at byte " + position + ": status " + answer.status());
            }
            return answer.stream();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the download was continued");
        } catch (PoolException e) {
            throw new BrokenDownloadException("the download broke off at byte " + position + " and cannot go on"
                    + (e.advice() == Advice.RETRY ? " now" : "") + ": " + e.getMessage(), e);
        }
    }

    @Override
    public int available() {
        return closed ? 0 : (int) Math.min(end - position, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        closed = true;
        if (body != null && position < end) {
            body.close();
        }
    }
}
