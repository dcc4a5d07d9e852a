package io.entrepot.pool.internal;

import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Files whose bytes are gone from their volume. Where the database still has them they are written again. Volumes that do not
 * answer, or are not the ones that were mounted, have no such files: they fail as a whole. For one thread.
 */
final class MissingScan implements Sweep {
    private static final int AT_ONCE = 500;
    private static final String WHY = "its bytes are gone";

    private final Parts parts;
    private final boolean remove;
    private long looked;

    MissingScan(Parts parts, boolean remove) {
        this.parts = parts;
        this.remove = remove;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (Realm realm : Realm.all(parts, tally::problem)) {
            for (MountedVolume volume : parts.volumes().all()) {
                tally.attempt("volume " + volume.name(), () -> scan(realm, volume, tally));
            }
        }
    }

    private void scan(Realm realm, MountedVolume volume, Tally tally) throws VolumeException, InterruptedException {
        long after = 0;
        List<FileRow> rows;
        do {
            rows = realm.files(volume, after, AT_ONCE);
            for (FileRow file : rows) {
                tally.checkpoint();
                Optional<TenantRow> tenant = realm.tenant(file.tenant());
                if (tenant.isPresent() && isMissing(realm, volume, tenant.get(), file, tally)) {
                    tell(realm, tenant.get(), file, tally);
                }
                after = file.key().number();
            }
            looked += rows.size();
            tally.progress(looked, "volume " + volume.name());
        } while (rows.size() == AT_ONCE);
    }

    private boolean isMissing(Realm realm, MountedVolume volume, TenantRow tenant, FileRow file, Tally tally)
            throws VolumeException, InterruptedException {
        Backend backend = volume.backend();
        if (backend.find(file.path(tenant.id())).isPresent() || !isStillThere(realm, file)) {
            return false;
        }
        boolean redo = hasRedo(realm, file);
        if (redo && !tally.isDryRun()) {
            parts.keepers().mend(volume);
        }
        // A keeper that has left the row has left out its tenant, who is just being recovered: it will write the bytes later.
        return !redo || (!tally.isDryRun() && !hasRedo(realm, file)
                && backend.find(file.path(tenant.id())).isEmpty() && isStillThere(realm, file));
    }

    private static boolean hasRedo(Realm realm, FileRow file) {
        return realm.store().read(snapshot -> snapshot.first("SELECT 1 FROM file_redo WHERE id = ?",
                row -> row.getInt(1), file.key().number()).isPresent());
    }

    /** It may have been moved or removed between the look at the row and the look at the volume. */
    private static boolean isStillThere(Realm realm, FileRow file) {
        return realm.store().read(snapshot -> FileRow.find(snapshot, file.tenant(), file.key())
                .filter(now -> now.volume() == file.volume()).isPresent());
    }

    private void tell(Realm realm, TenantRow tenant, FileRow file, Tally tally) {
        tally.add(Tally.Count.WITHOUT_BYTES, 1);
        tally.detail("file " + file.key() + " of tenant " + tenant.id() + ": " + WHY);
        if (remove && (tally.isDryRun() || removed(realm, tenant, file))) {
            tally.add(Tally.Count.WITHOUT_BYTES_REMOVED, 1);
        }
    }

    /** Not from a worker's hands: it will fail, and it is removed next time. */
    private boolean removed(Realm realm, TenantRow tenant, FileRow file) {
        return realm.store().write(Owners.of(tenant.id()), tx -> {
            Optional<FileRow> now = FileRow.find(tx, file.tenant(), file.key())
                    .filter(row -> row.volume() == file.volume());
            Optional<ItemView> item = parts.queues().find(tx, List.of(Views.item(tenant.id(), file.key()))).values()
                    .stream().findFirst();
            if (now.isEmpty() || item.filter(view -> view.state() == ItemState.HELD).isPresent()) {
                return false;
            }
            parts.queues().remove(tx, Views.item(tenant.id(), file.key()), EnumSet.allOf(ItemState.class), WHY);
            parts.removal().remove(tx, tenant, List.of(now.get()), "file.deleted", WHY);
            return true;
        });
    }
}
