package io.entrepot.pool.internal;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Directories of volumes that hold nothing. Many are told in one event, as there may be very many; those that went are told
 * whatever ends the sweep.
 */
final class EmptyDirectorySweep implements Sweep {
    private static final int AT_ONCE = 1000;

    private final Parts parts;
    private final Optional<TenantId> tenant;
    private final Predicate<String> isProtected;
    private int untold;

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
        tell(volume, tally);
        try {
            volume.backend().emptyDirectories().removeAll(tenant, isProtected, tally.isDryRun(), path -> {
                tally.add(Tally.Count.EMPTY_DIRECTORIES, 1);
                tally.detail("directory " + path + " of volume " + volume.name());
                tell(volume, tally);
                untold += tally.isDryRun() ? 0 : 1;
                if (untold >= AT_ONCE) {
                    publish(volume);
                }
                tally.checkpoint(); // what has gone is counted
            });
        } finally {
            if (untold > 0) {
                publish(volume);
            }
        }
    }

    private static void tell(MountedVolume volume, Tally tally) {
        tally.progress(tally.count(Tally.Count.EMPTY_DIRECTORIES), "volume " + volume.name());
    }

    private void publish(MountedVolume volume) {
        int removed = untold;
        untold = 0;
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, "volume.directories-removed", volume.name(),
                    new Body().with("directories", removed).with("why", "they were empty").toString());
            return true;
        });
    }
}
