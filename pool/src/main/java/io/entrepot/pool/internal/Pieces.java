package io.entrepot.pool.internal;

import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Copies a stream onto a volume piece by piece. While a piece is written its checksum is computed on another thread, so a
 * file costs the slower of both and not their sum. Memory is two pieces. For one thread.
 */
final class Pieces {
    private static final int PIECE = 1 << 20;

    private final Incoming incoming;
    private final MountedVolume.Room room;
    private final long most;
    private final MessageDigest digest = Sha256.digest();

    /** @param size how much is to come, if known: more is not taken */
    Pieces(Incoming incoming, MountedVolume.Room room, OptionalLong size) {
        this.incoming = incoming;
        this.room = room;
        this.most = size.orElse(Long.MAX_VALUE);
    }

    Sha256 copy(byte[] head, InputStream in) throws IOException, VolumeException, InterruptedException {
        piece(head, head.length);
        byte[] piece = new byte[PIECE];
        for (int n = in.readNBytes(piece, 0, PIECE); n > 0; n = in.readNBytes(piece, 0, PIECE)) {
            piece(piece, n);
        }
        return new Sha256(digest.digest());
    }

    private void piece(byte[] bytes, int length) throws IOException, VolumeException, InterruptedException {
        if (incoming.size() + length > most) {
            throw new IOException("more than the " + most + " bytes came that were told");
        }
        if (!room.grow(incoming.size() + length)) {
            throw new InsufficientStorageException("volume " + room.volume().name() + " has no room for more than "
                    + incoming.size() + " bytes");
        }
        FutureTask<Boolean> sum = new FutureTask<>(() -> digest.update(bytes, 0, length), true);
        Thread.ofVirtual().start(sum);
        incoming.write(ByteBuffer.wrap(bytes, 0, length));
        try {
            sum.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
