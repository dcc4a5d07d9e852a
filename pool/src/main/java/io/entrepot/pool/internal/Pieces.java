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
import org.jspecify.annotations.Nullable;

/**
 * Copies a stream onto a volume piece by piece. While a piece is written its checksum is computed and the next one is read, so a
 * file costs the slowest of the three and not their sum. Memory is two pieces. For one thread, which is the one that reads.
 */
final class Pieces {
    private static final int PIECE = 1 << 20;

    private final Incoming incoming;
    private final MountedVolume.Room room;
    private final long most;
    private final MessageDigest digest = Sha256.digest();
    private @Nullable Step writing;
    private @Nullable Step summing;

    /** Something that is done by a thread of its own. */
    private record Step(Thread thread, FutureTask<Boolean> task) {
        static Step start(FutureTask<Boolean> task) {
            return new Step(Thread.ofVirtual().start(task), task);
        }
    }

    /** @param size how much is to come, if known: more is not taken */
    Pieces(Incoming incoming, MountedVolume.Room room, OptionalLong size) {
        this.incoming = incoming;
        this.room = room;
        this.most = size.orElse(Long.MAX_VALUE);
    }

    Sha256 copy(byte[] head, InputStream in) throws IOException, VolumeException, InterruptedException {
        byte[][] pieces = {new byte[PIECE], new byte[PIECE]};
        byte[] piece = head;
        int length = head.length;
        try {
            for (int i = 0; length > 0; i = 1 - i) {
                begin(piece, length);
                piece = pieces[i];
                length = in.readNBytes(piece, 0, PIECE);
                await();
            }
        } finally {
            abandon();
        }
        return new Sha256(digest.digest());
    }

    private void begin(byte[] bytes, int length) throws IOException {
        if (incoming.size() + length > most) {
            throw new IOException("more than the " + most + " bytes came that were told");
        }
        if (!room.grow(incoming.size() + length)) {
            throw new InsufficientStorageException("volume " + room.volume().name() + " has no room for more than "
                    + incoming.size() + " bytes");
        }
        summing = Step.start(new FutureTask<>(() -> digest.update(bytes, 0, length), true));
        writing = Step.start(new FutureTask<>(() -> {
            incoming.write(ByteBuffer.wrap(bytes, 0, length));
            return true;
        }));
    }

    private void await() throws VolumeException, InterruptedException {
        for (Step step : new Step[]{writing, summing}) {
            if (step != null) {
                try {
                    step.task.get();
                } catch (ExecutionException e) {
                    switch (e.getCause()) {
                        case VolumeException why -> throw why;
                        case InterruptedException why -> throw why;
                        case RuntimeException why -> throw why;
                        case Error why -> throw why;
                        case null, default -> throw new IllegalStateException(e);
                    }
                }
            }
        }
        writing = null;
        summing = null;
    }

    /** After a failure whoever writes has to leave: the next thing that is done with the file is to close it. */
    private void abandon() {
        Step step = writing;
        if (step == null) {
            return;
        }
        step.thread.interrupt();
        boolean interrupted = false;
        while (step.thread.isAlive()) {
            try {
                step.thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
