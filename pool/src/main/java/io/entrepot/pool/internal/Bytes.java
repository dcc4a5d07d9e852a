package io.entrepot.pool.internal;

import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** The bytes of blobs. */
final class Bytes {
    private static final int PIECE = 1 << 20;

    private Bytes() {}

    static boolean isSame(Backend backend, BlobPath path, byte[] content) throws VolumeException, InterruptedException {
        try (Blob blob = backend.open(path)) {
            return read(blob, content.length).equals(ByteBuffer.wrap(content));
        }
    }

    /** All of a blob that is to have this size; one byte more if it has more. */
    static ByteBuffer read(Blob blob, int size) throws VolumeException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(size + 1);
        int n;
        do {
            n = blob.read(buffer.position(), buffer);
        } while (n >= 0 && buffer.hasRemaining());
        return buffer.flip();
    }

    static Sha256 sum(Blob blob) throws VolumeException, InterruptedException {
        return sum(blob, () -> {});
    }

    /** @param between is run between pieces, and ends it by what it throws */
    static Sha256 sum(Blob blob, Runnable between) throws VolumeException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        for (long at = 0; blob.read(at, piece.clear()) >= 0; at += piece.limit()) {
            digest.update(piece.flip());
            between.run();
        }
        return new Sha256(digest.digest());
    }
}
