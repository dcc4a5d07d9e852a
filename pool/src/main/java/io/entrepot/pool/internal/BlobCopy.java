package io.entrepot.pool.internal;

import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** Copies a file's bytes to another place and checks them on the way. Immutable. */
final class BlobCopy {
    private static final int PIECE = 1 << 20;

    private final int smallUpTo;
    private final Runnable checkpoint;

    /** The file could not be read, where it could have been that the other volume could not be written. */
    static final class SourceException extends Exception {
        private final VolumeException why;

        SourceException(VolumeException why) {
            super(why);
            this.why = why;
        }

        VolumeException why() {
            return why;
        }
    }

    /** @param checkpoint called often with large files; whatever it throws ends the copy, of which nothing remains */
    BlobCopy(int smallUpTo, Runnable checkpoint) {
        this.smallUpTo = smallUpTo;
        this.checkpoint = checkpoint;
    }

    /** False if the bytes are not what was written: then there is no copy. Durable after a sync of the other volume. */
    boolean copy(FileRow file, Blob blob, Backend to, BlobPath path, byte[] description)
            throws VolumeException, InterruptedException, SourceException {
        return file.size() <= smallUpTo
                ? copySmall(file, blob, to, path, description)
                : copyLarge(file, blob, to, path, description);
    }

    private static boolean copySmall(FileRow file, Blob blob, Backend to, BlobPath path, byte[] description)
            throws VolumeException, InterruptedException, SourceException {
        ByteBuffer buffer;
        try {
            buffer = Bytes.read(blob, (int) file.size());
        } catch (VolumeException e) {
            throw new SourceException(e);
        }
        MessageDigest digest = Sha256.digest();
        digest.update(buffer.duplicate());
        if (!new Sha256(digest.digest()).equals(file.sha())) {
            return false;
        }
        to.put(path, buffer, description);
        return true;
    }

    private boolean copyLarge(FileRow file, Blob blob, Backend to, BlobPath path, byte[] description)
            throws VolumeException, InterruptedException, SourceException {
        MessageDigest digest = Sha256.digest();
        try (Incoming incoming = to.begin()) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = 0; read(blob, at, piece.clear()) >= 0;) {
                checkpoint.run();
                piece.flip();
                at += piece.remaining();
                digest.update(piece.duplicate());
                incoming.write(piece);
            }
            if (!new Sha256(digest.digest()).equals(file.sha())) {
                return false;
            }
            incoming.place(path, description);
            return true;
        }
    }

    private static int read(Blob blob, long at, ByteBuffer into) throws InterruptedException, SourceException {
        try {
            return blob.read(at, into);
        } catch (VolumeException e) {
            throw new SourceException(e);
        }
    }
}
