package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.SavedFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Blob;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Copies a large file of a volume to another one within the system, which spares two ways through our memory, and sums up meanwhile
 * what has arrived there: so it is the copy that is verified.
 *
 * <p>The copying has a thread of its own. Nobody interrupts that one, as the blob would be closed for everybody who reads it; and it is
 * none of the mount's, since what takes long there may be the other side. Whoever saves sums up. He waits for a copy of some megabytes
 * as long as a call on a volume may take; then he asks the volume for a byte, which tells on whose side it is, and leaves. That the
 * target takes its time to be synced is nobody's fault, and is waited for.
 *
 * <p>Used once. Guarded by itself is what the two threads tell each other.
 */
final class VerifiedCopy {
    private static final long WORTH_IT = 2 << 20;
    private static final long AT_ONCE = 4 << 20;
    private static final int PIECE = 256 << 10;
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final Ticker REAL = Ticker.system();

    private final FileContent content;
    private final FileInfo file;
    private final Blob blob;
    private final Duration patience;
    private final SavedFile out;
    private long copied;
    private boolean copying;
    private long copyingSince;
    private boolean over;
    private @Nullable Throwable failure;

    VerifiedCopy(FileContent content, Blob blob, Duration patience, SavedFile out) {
        this.content = content;
        this.file = content.file();
        this.blob = blob;
        this.patience = patience;
        this.out = out;
    }

    static boolean isWorthIt(long size) {
        return size >= WORTH_IT;
    }

    void run() throws IOException {
        FileChannel to = out.channel();
        Thread.ofPlatform().daemon().name("entrepot copies a file").start(() -> copy(to));
        try {
            if (!new Sha256(sum().digest()).equals(file.sha256())) {
                throw damaged("its bytes are not those that were written");
            }
        } finally {
            fail(null); // whatever came between: then the other one stops
        }
    }

    private void copy(FileChannel to) {
        try {
            long at = 0;
            while (at < file.size() && begin()) {
                long n = blob.copy(at, Math.min(AT_ONCE, file.size() - at), to);
                end();
                if (n <= 0) {
                    throw damaged("it ends after " + at + " of " + file.size() + " bytes");
                }
                at += n;
                out.wrote(n);
                copied(at);
            }
        } catch (IOException e) {
            fail(new IOException(named() + " could not be saved: " + e.getMessage(), e));
        } catch (Throwable e) { // for whoever waits
            fail(e);
        }
    }

    private MessageDigest sum() throws IOException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        // A channel of its own: an interrupt closes it, and that would wait for whoever is in it.
        try (FileChannel arrived = FileChannel.open(out.written(), StandardOpenOption.READ)) {
            long at = 0;
            while (at < file.size()) {
                long there = awaitMoreThan(at);
                while (at < there) {
                    int n = arrived.read(piece.clear().limit((int) Math.min(PIECE, there - at)), at);
                    if (n < 0) {
                        throw new IOException(named() + " could not be saved: somebody has cut off what was written");
                    }
                    digest.update(piece.flip());
                    at += n;
                }
            }
        }
        return digest;
    }

    private String named() {
        return "file " + file.key() + " of tenant " + file.tenant();
    }

    private DamagedFileException damaged(String why) {
        return new DamagedFileException(file.tenant(), file.key(), why);
    }

    /** False if it is not wanted any more. */
    private synchronized boolean begin() {
        copying = true;
        copyingSince = REAL.nanos();
        return !over;
    }

    private synchronized void end() {
        copying = false;
    }

    private synchronized void copied(long to) {
        copied = to;
        notifyAll();
    }

    private synchronized void fail(@Nullable Throwable why) {
        over = true;
        failure = failure == null ? why : failure;
        notifyAll();
    }

    private long awaitMoreThan(long known) throws IOException {
        Throwable why;
        synchronized (this) {
            while (copied <= known && failure == null && !isStuck()) {
                try {
                    wait(LOOK_EVERY_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("saving a file was interrupted");
                }
            }
            if (copied > known) {
                return copied;
            }
            why = failure;
        }
        switch (why) {
            case null -> throw stuck(known);
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private boolean isStuck() {
        return copying && REAL.nanos() - copyingSince > patience.toNanos();
    }

    /** If it is the volume it says so itself, and is known for it then. */
    private IOException stuck(long at) throws IOException {
        content.read(at, ByteBuffer.allocate(1));
        return new IOException(named() + " could not be saved: after " + at + " of " + file.size()
                + " bytes the place where it is saved to does not answer");
    }
}
