package io.entrepot.pool.internal;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What bytes on a volume are to the books. Safe for use by many threads. */
final class OrphanVerdict {
    private final Parts parts;

    /** Why bytes are nobody's. */
    enum Kind {
        /** Nothing is known of them. */
        UNKNOWN,
        /** There was such a file, and it is over. */
        OVER,
        /** There was such a file, and its volume was given up. */
        GIVEN_UP,
        /** They were being written, and something came between: they never were a file. */
        CUT_SHORT,
        /** The file is on another volume. */
        MOVED,
        /** The file is to be on another volume, and is not there. */
        LAST_COPY
    }

    record Found(Kind kind, Optional<TenantRow> tenant, String why) {}

    OrphanVerdict(Parts parts) {
        this.parts = parts;
    }

    /** Those that are not where a file of the books is. The others need no closer look. */
    List<Backend.Stored> unknown(MountedVolume volume, TenantId id, List<Backend.Stored> blobs) {
        Optional<TenantRow> tenant = parts.tenants().find(id);
        if (tenant.isEmpty()) {
            return blobs;
        }
        Map<Long, FileRow> rows = new HashMap<>();
        parts.tenants().store(id).read(snapshot -> FileRow.find(snapshot, blobs.stream()
                .map(blob -> new FileRow.Which(tenant.get().number(), blob.path().key().number())).toList()))
                .forEach(row -> rows.put(row.key().number(), row));
        return blobs.stream().filter(blob -> {
            FileRow row = rows.get(blob.path().key().number());
            return row == null || !isAt(row, id, volume, blob.path());
        }).toList();
    }

    private static boolean isAt(FileRow row, TenantId tenant, MountedVolume volume, BlobPath path) {
        return row.volume() == volume.number() && row.path(tenant).equals(path);
    }

    /** Nothing if they are a file's, or will go anyway. Whoever calls has the key. */
    Optional<Found> of(MountedVolume volume, TenantId id, Backend.Stored blob)
            throws VolumeException, InterruptedException {
        Optional<TenantRow> tenant = parts.tenants().find(id);
        record Known(boolean doomed, boolean planned, Optional<FileRow> row,
                Optional<List<Trail.Step>> gone) {}
        Known known = store(id, tenant).read(snapshot -> new Known(isDoomed(snapshot, volume, blob.path()),
                tenant.filter(row -> isPlanned(snapshot, row, blob.path())).isPresent(),
                tenant.flatMap(row -> FileRow.find(snapshot, row.number(), blob.path().key())),
                tenant.flatMap(row -> Removal.gone(snapshot, row, blob.path().key(), parts.config().history()))));
        if (known.doomed || known.planned) {
            return Optional.empty(); // the volume's keeper will remove them; or an upload will be that file
        }
        if (!blob.whole() && known.row.filter(row -> isAt(row, id, volume, blob.path())).isEmpty()) {
            return Optional.of(new Found(Kind.CUT_SHORT, tenant, "it was being written when something came between"));
        }
        if (known.row.isEmpty()) {
            return Optional.of(known.gone.isPresent()
                    ? gone(tenant, known.gone.get())
                    : new Found(Kind.UNKNOWN, tenant, tenant.isPresent()
                            ? "no file has these bytes"
                            : "there is no tenant " + id));
        }
        FileRow row = known.row.get();
        if (isAt(row, id, volume, blob.path())) {
            return Optional.empty();
        }
        return Optional.of(isThere(id, row)
                ? new Found(Kind.MOVED, tenant, "the file is elsewhere, and this copy was left")
                : new Found(Kind.LAST_COPY, tenant, "the file is to be on another volume and is not there or cannot"
                        + " be looked at; this copy may be the last"));
    }

    private static Found gone(Optional<TenantRow> tenant, List<Trail.Step> steps) {
        return steps.stream().anyMatch(step -> step.what().equals(Trail.GIVEN_UP))
                ? new Found(Kind.GIVEN_UP, tenant, "the file was given up with its volume, and its bytes are here")
                : new Found(Kind.OVER, tenant, "the file is gone, and its bytes were left");
    }

    private boolean isThere(TenantId tenant, FileRow row) throws InterruptedException {
        try {
            return parts.volumes().require(row.volume()).backend().find(row.path(tenant))
                    .filter(stored -> stored.size() == row.size()).isPresent();
        } catch (VolumeException e) {
            return false;
        }
    }

    private static boolean isDoomed(Snapshot snapshot, MountedVolume volume, BlobPath path) {
        long number = path.key().number();
        return snapshot.first("SELECT 1 FROM file_doomed WHERE volume = ? AND id = ? AND path = ?"
                + " UNION ALL SELECT 1 FROM file_stuck WHERE volume = ? AND id = ? AND path = ?", row -> row.getInt(1),
                volume.number(), number, path.toString(), volume.number(), number, path.toString()).isPresent();
    }

    /** Whoever finishes it may take his time; maybe another process does. */
    private static boolean isPlanned(Snapshot snapshot, TenantRow tenant, BlobPath path) {
        return UploadBook.isPlanned(snapshot, tenant.number(), path.key());
    }

    private Store store(TenantId id, Optional<TenantRow> tenant) {
        return tenant.isPresent() ? parts.tenants().store(id) : parts.stores().main();
    }

    /** Leaves them to the volume's keeper, and says why. False if that is not to be, or not now. */
    boolean doom(MountedVolume volume, TenantId id, Backend.Stored blob, String why) {
        Optional<TenantRow> tenant = parts.tenants().find(id);
        BlobPath path = blob.path();
        return store(id, tenant).write(tenant.isPresent() ? Owners.of(id) : Owner.SYSTEM, tx -> {
            boolean named = tenant.flatMap(row -> FileRow.find(tx, row.number(), path.key()))
                    .filter(row -> isAt(row, id, volume, path)).isPresent()
                    || tenant.filter(row -> isPlanned(tx, row, path)).isPresent();
            // Another tenant that is gone may have had the number in a database of its own: then the next scan does it.
            if (named || tx.update("INSERT INTO file_doomed (id, volume, path) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    path.key().number(), volume.number(), path.toString()) == 0) {
                return false;
            }
            tx.publish(tenant.isPresent() ? Owners.of(id) : Owner.SYSTEM, "file.orphan-removed", path.key().toString(),
                    new Body().with("volume", volume.name()).with("size", blob.size()).with("why", why).toString());
            return true;
        });
    }
}
