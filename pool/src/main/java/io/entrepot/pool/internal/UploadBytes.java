package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;

/**
 * The bytes of an upload while one has the turn.
 *
 * <p>INVARIANT: the row never says more than is durable: bytes are forced, and only then does the row say so. So after a crash
 * there may be more than the row knows, and what is behind is cut off. For one thread.
 */
final class UploadBytes implements AutoCloseable {
    private static final int PIECE = 1 << 20;
    /** So much of a piece at most is lost in a crash, and so much time. */
    private static final long SAVED_EVERY = 64L << 20;
    private static final long SAVED_AFTER = Duration.ofSeconds(20).toNanos();

    private final TenantId tenant;
    private final UploadTurns.Turn turn;
    private final Backend backend;
    private final Ticker ticker;
    private final Incoming incoming;
    private long renewedAt;

    /** Opens what is there, and cuts off what is behind. */
    UploadBytes(TenantId tenant, UploadTurns.Turn turn, Backend backend, Ticker ticker)
            throws VolumeException, InterruptedException {
        this.tenant = tenant;
        this.turn = turn;
        this.backend = backend;
        this.ticker = ticker;
        this.renewedAt = ticker.nanos();
        this.incoming = open();
    }

    private Incoming open() throws VolumeException, InterruptedException {
        UploadRow row = turn.row();
        if (row.size() == 0) {
            return backend.begin(); // what may be left of a first piece has no bytes that anybody counts on
        }
        Incoming there = backend.resume(row.incoming()).orElseThrow(() -> gone(row));
        if (there.size() < row.size()) {
            there.keep();
            throw gone(row);
        }
        if (!turn.isFromAnother()) {
            return truncated(there, row.size());
        }
        try {
            Incoming copy = backend.begin();
            try {
                return copied(there, copy, row.size());
            } catch (VolumeException | InterruptedException | RuntimeException e) {
                copy.close();
                throw e;
            }
        } finally {
            there.keep();
        }
    }

    private UploadNotFoundException gone(UploadRow row) {
        return new UploadNotFoundException(tenant, row.id(), "its bytes are gone from the volume");
    }

    private static Incoming truncated(Incoming there, long size) throws VolumeException, InterruptedException {
        if (there.size() > size) {
            try {
                there.truncate(size);
            } catch (VolumeException | InterruptedException | RuntimeException e) {
                there.keep();
                throw e;
            }
        }
        return there;
    }

    private Incoming copied(Incoming from, Incoming to, long size) throws VolumeException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(PIECE);
        while (to.size() < size) {
            renew();
            buffer.clear().limit((int) Math.min(PIECE, size - to.size()));
            from.read(to.size(), buffer);
            to.write(buffer.flip());
        }
        return to;
    }

    /**
     * Adds all that comes. If the stream fails, what came before is saved first.
     *
     * @param whole it is not: then nothing of it counts before it has come to its end
     */
    void append(InputStream in, boolean whole, MountedVolume.Room room)
            throws IOException, VolumeException, InterruptedException {
        try {
            appendAll(in, whole, room);
        } catch (VolumeException e) {
            if (e.kind() == VolumeException.Kind.MISSING) {
                turn.advance(turn.row().incoming(), turn.row().size()); // says it if somebody has dropped it
                throw gone(turn.row());
            }
            throw e;
        }
    }

    private void appendAll(InputStream in, boolean whole, MountedVolume.Room room)
            throws IOException, VolumeException, InterruptedException {
        long start = incoming.size();
        long most = turn.row().expected().orElse(Long.MAX_VALUE);
        long saved = start;
        long savedAt = ticker.nanos();
        byte[] piece = new byte[PIECE];
        try {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                if (n > most - incoming.size()) {
                    throw new IOException("more than the " + most + " bytes came that were told");
                }
                if (!room.grow(incoming.size() + n - start)) {
                    throw new InsufficientStorageException("volume " + room.volume().name()
                            + " has no room for more than " + incoming.size()
                            + " bytes of it; wait for room, or begin anew and say how many will come");
                }
                incoming.write(ByteBuffer.wrap(piece, 0, n));
                room.written(incoming.size() - start);
                if (incoming.size() - saved >= SAVED_EVERY || ticker.nanos() - savedAt > SAVED_AFTER) {
                    if (whole) {
                        turn.advance(turn.row().incoming(), turn.row().size()); // nothing new, but somebody is here
                    } else {
                        save();
                    }
                    saved = incoming.size();
                    savedAt = ticker.nanos();
                }
            }
        } catch (IOException e) {
            if (whole) {
                throw e;
            }
            try {
                save();
            } catch (VolumeException | RuntimeException saving) {
                saving.addSuppressed(e);
                throw saving;
            }
            throw e;
        }
        save();
    }

    /** Where nothing new is saved for long: somebody is here all the same, and nobody is to take over. */
    private void renew() {
        if (ticker.nanos() - renewedAt > SAVED_AFTER) {
            turn.advance(turn.row().incoming(), turn.row().size());
            renewedAt = ticker.nanos();
        }
    }

    private void save() throws VolumeException, InterruptedException {
        incoming.force();
        String before = turn.row().incoming();
        turn.advance(incoming.id(), incoming.size());
        drop(before);
    }

    /** Gives the bytes their name, durably. */
    void place(BlobPath path, byte[] description) throws VolumeException, InterruptedException {
        incoming.place(path, description);
        drop(turn.row().incoming());
    }

    /** What was there before and is copied. */
    private void drop(String before) throws VolumeException, InterruptedException {
        if (!before.isEmpty() && !before.equals(incoming.id())) {
            backend.dropBegun(before);
        }
    }

    Sha256 checksum() throws VolumeException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer buffer = ByteBuffer.allocate(PIECE);
        for (long at = 0; at < incoming.size();) {
            renew();
            int n = incoming.read(at, buffer.clear());
            if (n <= 0) {
                throw new VolumeException(VolumeException.Kind.BROKEN, "what was written as " + incoming.id()
                        + " ends after " + at + " of " + incoming.size() + " bytes", null);
            }
            digest.update(buffer.flip());
            at += n;
        }
        return new Sha256(digest.digest());
    }

    /** What the row knows stays; bytes that it does not know by this name are of no use. */
    @Override
    public void close() {
        Optional<String> known = Optional.of(turn.row().incoming()).filter(incoming.id()::equals);
        if (known.isPresent()) {
            incoming.keep();
        } else {
            incoming.close();
        }
    }
}
