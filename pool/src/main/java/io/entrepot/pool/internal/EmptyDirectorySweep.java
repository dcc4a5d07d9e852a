package io.entrepot.pool.internal;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import java.util.Optional;
import java.util.function.Predicate;

/** Directories of volumes that hold nothing. Their removal is one event for each volume: there may be very many. */
final class EmptyDirectorySweep implements Sweep {
    private final Parts parts;
    private final Optional<TenantId> tenant;
    private final Predicate<String> isProtected;

    EmptyDirectorySweep(Parts parts, Optional<TenantId> tenant) {
        this.parts = parts;
        this.tenant = tenant;
        this.isProtected = new ProtectedDirectories(parts.config().cleanup().protectedDirectories());
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (MountedVolume volume : parts.volumes().all()) {
            if (tally.isDryRun() || volume.health() != VolumeHealth.UNWRITABLE) {
                tally.attempt("volume " + volume.name(), () -> sweep(volume, tally));
            }
        }
    }

    private void sweep(MountedVolume volume, Tally tally) throws VolumeException, InterruptedException {
        int removed = volume.backend().emptyDirectories().removeAll(tenant, isProtected, tally.isDryRun(), path -> {
            tally.checkpoint();
            tally.add(Tally.Count.EMPTY_DIRECTORIES, 1);
            tally.detail("directory " + path + " of volume " + volume.name());
        });
        if (removed > 0 && !tally.isDryRun()) {
            parts.stores().main().write(Owner.SYSTEM, tx -> {
                tx.publish(Owner.SYSTEM, "volume.directories-removed", volume.name(),
                        new Body().with("directories", removed).with("why", "they were empty").toString());
                return true;
            });
        }
    }
}
