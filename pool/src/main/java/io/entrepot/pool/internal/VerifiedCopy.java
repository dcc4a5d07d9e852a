package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.SavedFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Blob;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Copies a large file of a volume to another one within the system, which spares two ways through our memory, and sums up meanwhile
 * what has arrived there: so it is the copy that is verified.
 *
 * <p>The copying has a thread of its own. Nobody interrupts that one, as the blob would be closed for everybody who reads it; and it is
 * none of the mount's, since what takes long there may be the other side. Whoever saves sums up, and waits for so long as a call on
 * a volume may take.
 *
 * <p>Used once. Guarded by itself is what the two threads tell each other.
 */
final class VerifiedCopy {
    private static final long WORTH_IT = 2 << 20;
    private static final long AT_ONCE = 4 << 20;
    private static final int PIECE = 256 << 10;
    private static final Ticker REAL = Ticker.system();

    private final FileInfo file;
    private final Blob blob;
    private final Duration patience;
    private final SavedFile out;
    private long copied;
    private boolean over;
    private @Nullable Throwable failure;

    VerifiedCopy(FileInfo file, Blob blob, Duration patience, SavedFile out) {
        this.file = file;
        this.blob = blob;
        this.patience = patience;
        this.out = out;
    }

    static boolean isWorthIt(long size) {
        return size >= WORTH_IT;
    }

    void run() throws IOException {
        Thread.ofPlatform().daemon().name("entrepot copies a file").start(this::copy);
        try {
            if (!new Sha256(sum().digest()).equals(file.sha256())) {
                throw damaged("its bytes are not those that were written");
            }
        } finally {
            end(null); // whatever came between: then the other one stops
        }
    }

    private void copy() {
        try {
            long at = 0;
            while (at < file.size() && !isOver()) {
                long n = blob.copy(at, Math.min(AT_ONCE, file.size() - at), out.channel());
                if (n <= 0) {
                    throw damaged("it ends after " + at + " of " + file.size() + " bytes");
                }
                at += n;
                out.wrote(n);
                copied(at);
            }
        } catch (Throwable e) { // for whoever waits
            end(e);
        }
    }

    private MessageDigest sum() throws IOException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        long at = 0;
        while (at < file.size()) {
            long there = awaitMoreThan(at);
            while (at < there) {
                int n = out.channel().read(piece.clear().limit((int) Math.min(PIECE, there - at)), at);
                if (n < 0) {
                    throw new IOException("what was just written is not there: somebody has cut it off");
                }
                digest.update(piece.flip());
                at += n;
            }
        }
        return digest;
    }

    private DamagedFileException damaged(String why) {
        return new DamagedFileException(file.tenant(), file.key(), why);
    }

    private synchronized void copied(long to) {
        copied = to;
        notifyAll();
    }

    private synchronized void end(@Nullable Throwable why) {
        over = true;
        failure = failure == null ? why : failure;
        notifyAll();
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized long awaitMoreThan(long known) throws IOException {
        long begin = REAL.nanos();
        while (copied <= known && !over) {
            long left = patience.toNanos() - (REAL.nanos() - begin);
            if (left <= 0) {
                throw new IOException("file " + file.key() + " of tenant " + file.tenant() + " was not saved: after "
                        + known + " of " + file.size() + " bytes its volume, or where it is saved to, did not answer");
            }
            try {
                wait(left / 1_000_000, (int) (left % 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("saving a file was interrupted");
            }
        }
        switch (failure) {
            case null -> {
                return copied;
            }
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
