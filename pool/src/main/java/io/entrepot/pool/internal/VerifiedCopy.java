package io.entrepot.pool.internal;

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

/**
 * Copies a large file of a volume to another one within the system, which spares two ways through our memory, and sums up meanwhile
 * what has arrived there: so it is the copy that is verified.
 *
 * <p>Whoever saves sums up. If the copy does not come on for as long as a call on a volume may take he asks the volume for a byte,
 * which tells on whose side it is, and leaves. That the target takes its time to be synced is nobody's fault, and is waited for. Used once.
 */
final class VerifiedCopy {
    private static final int PIECE = 256 << 10;

    private final FileContent content;
    private final FileInfo file;
    private final Blob blob;
    private final Duration patience;
    private final SavedFile out;

    VerifiedCopy(FileContent content, Blob blob, Duration patience, SavedFile out) {
        this.content = content;
        this.file = content.file();
        this.blob = blob;
        this.patience = patience;
        this.out = out;
    }

    void run() throws IOException {
        FileChannel to = out.channel();
        CopyAhead ahead = CopyAhead.start(new CopyAhead.Work() {
            @Override
            public long copy(long at, long most) throws IOException {
                long n = blob.copy(at, most, to);
                if (n <= 0) {
                    throw damaged("it ends after " + at + " of " + file.size() + " bytes");
                }
                return n;
            }

            @Override
            public void copied(long n) throws IOException {
                out.wrote(n);
            }
        }, file.size(), patience);
        try {
            if (!new Sha256(sum(ahead).digest()).equals(file.sha256())) {
                throw damaged("its bytes are not those that were written");
            }
        } finally {
            ahead.stop(); // whatever came between
        }
    }

    private MessageDigest sum(CopyAhead ahead) throws IOException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        // A channel of its own: an interrupt closes it, and that would wait for whoever is in it.
        try (FileChannel arrived = FileChannel.open(out.written(), StandardOpenOption.READ)) {
            long at = 0;
            while (at < file.size()) {
                long there = awaitMoreThan(at, ahead);
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

    private long awaitMoreThan(long known, CopyAhead ahead) throws IOException {
        CopyAhead.Course course;
        try {
            course = ahead.awaitMoreThan(known);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("saving a file was interrupted");
        }
        return switch (course) {
            case FURTHER -> ahead.copied();
            case OVER -> throw failed(ahead.failure().orElseThrow());
            case STUCK -> throw stuck(known);
        };
    }

    private IOException failed(Throwable why) {
        return switch (why) {
            case IOException e -> new IOException(named() + " could not be saved: " + e.getMessage(), e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(why);
        };
    }

    /** If it is the volume it says so itself, and is known for it then. */
    private IOException stuck(long at) throws IOException {
        content.read(at, ByteBuffer.allocate(1));
        return new IOException(named() + " could not be saved: after " + at + " of " + file.size()
                + " bytes the place where it is saved to does not answer");
    }

    private String named() {
        return "file " + file.key() + " of tenant " + file.tenant();
    }

    private DamagedFileException damaged(String why) {
        return new DamagedFileException(file.tenant(), file.key(), why);
    }
}
