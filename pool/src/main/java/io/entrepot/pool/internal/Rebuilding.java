package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.Queues;
import io.entrepot.store.Transaction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes a file again of bytes that nobody knows, from what they carry; where a volume does not carry descriptions, from what the
 * path says. It is held: it may have been processed before. It counts like any file, whatever the quotas say, as its bytes are
 * there. Safe for use by many threads.
 */
final class Rebuilding {
    private static final int PIECE = 1 << 20;

    private final Parts parts;

    private record Read(long size, Sha256 sha) {}

    Rebuilding(Parts parts) {
        this.parts = parts;
    }

    /** Why not, if not. Whoever calls has the key: see {@link LiveWrites}. */
    Optional<String> rebuild(TenantRow tenant, MountedVolume volume, Backend.Stored stored, Runnable checkpoint)
            throws VolumeException, InterruptedException {
        BlobPath path = stored.path();
        FileKey key = path.key();
        if (key.number() > Queues.HIGHEST_RESERVED) {
            return Optional.of("its number is too great");
        }
        Backend backend = volume.backend();
        Read read = read(backend, path, checkpoint);
        Optional<Description> carried = backend.description(path)
                .flatMap(bytes -> Description.decode(bytes, path.extension()));
        if (carried.filter(said -> said.size() != read.size || !said.sha().equals(read.sha)).isPresent()) {
            return Optional.of("its bytes are not those that were written");
        }
        Description said = carried
                .orElseGet(() -> new Description(read.size, read.sha, stored.changed(), OptionalLong.empty(), 0,
                        Optional.empty(), LogicalDirectory.ROOT, "", Optional.empty()));
        backend.sync(); // it may have been placed and never synced
        parts.queues().reserveUpTo(Owners.of(tenant.id()), key.number());
        return parts.tenants().store(tenant.id()).write(Owners.of(tenant.id()),
                tx -> enter(tx, volume, path, said));
    }

    private static Read read(Backend backend, BlobPath path, Runnable checkpoint)
            throws VolumeException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        long at = 0;
        try (Blob blob = backend.open(path)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            while (blob.read(at, piece.clear()) >= 0) {
                checkpoint.run();
                piece.flip();
                at += piece.remaining();
                digest.update(piece);
            }
        }
        return new Read(at, new Sha256(digest.digest()));
    }

    private Optional<String> enter(Transaction tx, MountedVolume volume, BlobPath path, Description said) {
        Optional<TenantRow> known = parts.tenants().find(tx, path.tenant());
        if (known.isEmpty()) {
            return Optional.of("tenant " + path.tenant() + " is gone");
        }
        TenantRow tenant = known.get();
        long number = path.key().number();
        if (!FileRow.find(tx, List.of(new FileRow.Which(tenant.number(), number))).isEmpty()
                || !parts.queues().find(tx, List.of(Views.item(tenant.id(), path.key()))).isEmpty()) {
            return Optional.of("another file has its number");
        }
        long directory = parts.directories().number(tx, tenant, said.directory());
        parts.gate().enter(tx, tenant, directory, said.directory(), said.size());
        tx.add(tenant.held(), 1);
        tx.add(VolumeBook.files(volume.number()), 1);
        FileRow.insert(tx, List.of(new FileRow(tenant.number(), path.key(), directory, volume.number(), path.depth(),
                path.extension(), said.name(), said.size(), said.sha(), said.created(), said.modified(),
                said.priority(), true,
                said.labels(), said.source(),
                Trail.line(tx.now(), "rebuilt", "found on volume " + volume.name() + " without a record"))));
        tx.publish(Owners.of(tenant.id()), "file.rebuilt", path.key().toString(),
                new Body().with("size", said.size()).with("volume", volume.name())
                        .with("why", "its bytes were found without a record").toString());
        return Optional.empty();
    }
}
