package io.entrepot.pool.internal;

import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What was begun on volumes and never finished, by a process that died or a call that hung. Uploads that go on are in the
 * database, which is asked after the look at the volume; if not all of it can be asked, nothing is dropped.
 */
final class TemporarySweep implements Sweep {
    private final Parts parts;
    private final Duration age;

    TemporarySweep(Parts parts, Duration age) {
        this.parts = parts;
        this.age = age;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (MountedVolume volume : parts.volumes().all()) {
            tell(volume, tally);
            tally.attempt("volume " + volume.name(), () -> sweep(volume, tally));
        }
    }

    private static void tell(MountedVolume volume, Tally tally) {
        tally.progress(tally.count(Tally.Count.TEMPORARY_FILES), "volume " + volume.name());
    }

    private void sweep(MountedVolume volume, Tally tally) throws VolumeException, InterruptedException {
        long before = parts.config().platform().store().wall().millis() - age.toMillis();
        List<Backend.Begun> old = new ArrayList<>();
        volume.backend().begun(begun -> {
            if (begun.changed() <= before) {
                old.add(begun);
            }
        });
        Set<String> wanted = old.isEmpty() ? Set.of() : uploads(volume);
        for (Backend.Begun begun : old) {
            tally.checkpoint();
            tell(volume, tally);
            if (!wanted.contains(begun.id())) {
                if (!tally.isDryRun()) {
                    drop(volume, begun);
                }
                tally.add(Tally.Count.TEMPORARY_FILES, 1);
                tally.add(Tally.Count.BYTES_FREED, begun.size());
                tally.detail("temporary file " + begun.id() + " of volume " + volume.name());
            }
        }
    }

    private Set<String> uploads(MountedVolume volume) {
        Set<String> uploads = new HashSet<>();
        List<Realm> realms = Realm.all(parts, problem -> {
            throw new IllegalStateException(problem + "; it may have uploads");
        });
        for (Realm realm : realms) {
            uploads.addAll(realm.store().read(snapshot -> snapshot.query(
                    "SELECT incoming FROM upload WHERE volume = ?", row -> row.getString(1), volume.number())));
        }
        return uploads;
    }

    private void drop(MountedVolume volume, Backend.Begun begun) throws VolumeException, InterruptedException {
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, "volume.temporary-removed", volume.name(), new Body().with("id", begun.id())
                    .with("size", begun.size()).with("why", "it was never finished").toString());
            return true;
        });
        volume.backend().dropBegun(begun.id());
    }
}
