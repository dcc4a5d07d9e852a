package io.entrepot.pool.internal;

import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;

/**
 * Volumes that could not be looked through when the books were made anew: what is on them and in no book may be files that were
 * acknowledged. Nobody deletes it as long as that is so. In the main database; safe for use by many threads.
 */
final class AwayVolumes {
    private final Store main;

    AwayVolumes(Store main) {
        this.main = main;
    }

    private static Counter counter(MountedVolume volume) {
        return new Counter("pool.volume.away", volume.number());
    }

    void add(MountedVolume volume) {
        set(volume, 1);
    }

    /** All that was on it is in the books now. */
    void remove(MountedVolume volume) {
        set(volume, 0);
    }

    private void set(MountedVolume volume, long value) {
        main.write(Owner.SYSTEM, tx -> {
            tx.add(counter(volume), value - tx.count(counter(volume)));
            return true;
        });
    }

    boolean contains(MountedVolume volume) {
        return main.read(snapshot -> snapshot.count(counter(volume))) > 0;
    }
}
