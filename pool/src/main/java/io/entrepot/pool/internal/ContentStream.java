package io.entrepot.pool.internal;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file from one position to another. Asking the volume means to wait for another thread, so they come in pieces,
 * however little is asked for; and of a long stream the next pieces are read, and added to the checksum, while one is being used.
 * For one thread.
 */
final class ContentStream extends InputStream {
    private static final int PIECE = 512 << 10;
    private static final long LONG = 4L * PIECE;

    private final FileContent content;
    private final long end;
    private final Optional<MessageDigest> digest;
    private final Set<ReadAhead> running;
    /** Where the next piece begins: known to whoever reads the pieces. */
    private long asked;
    private long position;
    private @Nullable ReadAhead ahead;
    private byte[] piece = new byte[0];
    private int next;
    private int length;
    private boolean ended;

    /**
     * @param digest  of all of it, compared at the end with the file's own
     * @param running what is to be closed with the content, for those who do not close a stream
     */
    ContentStream(FileContent content, long from, long end, Optional<MessageDigest> digest, Set<ReadAhead> running) {
        if (from < 0) {
            throw new IllegalArgumentException("a range begins at 0 or later: " + from);
        }
        this.content = content;
        this.asked = from;
        this.position = from;
        this.end = end;
        this.digest = digest;
        this.running = running;
    }

    @Override
    public int read() throws IOException {
        return more() ? piece[next++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int wanted) throws IOException {
        if (wanted == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int n = Math.min(wanted, length - next);
        System.arraycopy(piece, next, into, offset, n);
        next += n;
        return n;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        long told = 0;
        while (more()) {
            int n = length - next;
            next = length; // told, whether or not the other side takes it
            out.write(piece, length - n, n);
            told += n;
        }
        return told;
    }

    /** All that is left, for those who size a buffer by it. */
    @Override
    public int available() {
        return Math.clamp(end - position + length - next, 0, Integer.MAX_VALUE);
    }

    /** Whether there is a byte at {@code next}. */
    private boolean more() throws IOException {
        if (next < length) {
            return true;
        }
        if (ended) {
            return false;
        }
        next = 0;
        length = 0;
        if (position < end) {
            length = fill();
            position += length;
            return true;
        }
        verify();
        ended = true;
        return false;
    }

    private int fill() throws IOException {
        if (ahead == null && end - position <= LONG) {
            if (piece.length == 0) {
                piece = new byte[Math.clamp(end - position, 1, PIECE)];
            }
            int n = ask(piece);
            digest.ifPresent(it -> it.update(piece, 0, n));
            return n;
        }
        if (ahead == null) {
            ahead = new ReadAhead(this::ask, digest.map(it -> (bytes, n) -> it.update(bytes, 0, n)), PIECE);
            running.add(ahead);
        }
        ReadAhead.Piece read = ahead.next();
        piece = read.bytes();
        return read.length();
    }

    private int ask(byte[] into) throws IOException {
        if (asked >= end) {
            return -1;
        }
        int n = content.read(asked, ByteBuffer.wrap(into, 0, (int) Math.min(into.length, end - asked)));
        if (n < 0) {
            FileInfo file = content.file();
            throw new DamagedFileException(file.tenant(), file.key(),
                    "it ends after " + asked + " of " + file.size() + " bytes");
        }
        asked += n;
        return n;
    }

    private void verify() {
        FileInfo file = content.file();
        if (digest.isPresent() && !new Sha256(digest.get().digest()).equals(file.sha256())) {
            throw new DamagedFileException(file.tenant(), file.key(), "its bytes are not those that were written");
        }
    }

    @Override
    public void close() {
        if (ahead != null) {
            ahead.close();
            running.remove(ahead);
        }
    }
}
