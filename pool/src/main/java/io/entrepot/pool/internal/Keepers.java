package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** A keeper for each volume, from when it is mounted on. Safe for use by many threads. */
final class Keepers implements VolumeBook.Others, AutoCloseable {
    private final Stores stores;
    private final VolumeBook book;
    private final Duration pause;
    private final Predicate<String> isProtected;
    private final Ticker ticker;
    private final PoolFaults faults;
    private final Map<Long, VolumeKeeper> keepers = new ConcurrentHashMap<>();
    private final LongAdder directories = new LongAdder();
    private final Set<Owner> leftOut = ConcurrentHashMap.newKeySet();

    Keepers(Stores stores, VolumeBook book, Duration pause, Predicate<String> isProtected, Ticker ticker,
            PoolFaults faults) {
        this.stores = stores;
        this.book = book;
        this.pause = pause;
        this.isProtected = isProtected;
        this.ticker = ticker;
        this.faults = faults;
    }

    @Override
    public void mounted(MountedVolume volume) throws InterruptedException {
        start(volume);
    }

    @Override
    public void unmounted(MountedVolume volume) {
        stop(volume);
    }

    /** Begins with what a crash has left; a volume that has failed is done when it is back. */
    void start(MountedVolume volume) throws InterruptedException {
        VolumeKeeper keeper = keepers.computeIfAbsent(volume.number(),
                _ -> new VolumeKeeper(stores, book, volume, pause, isProtected, leftOut::contains, ticker, faults,
                        directories));
        try {
            keeper.redo();
        } catch (VolumeException e) {
            book.failed(volume, e);
            keeper.distrust();
        }
        keeper.start();
    }

    void nudge(MountedVolume volume) {
        VolumeKeeper keeper = keepers.get(volume.number());
        if (keeper != null) {
            keeper.nudge();
        }
    }

    /** How many directories were removed as they had become empty, since the pool was opened. */
    long directoriesRemoved() {
        return directories.sum();
    }

    void nudgeAll() {
        keepers.values().forEach(VolumeKeeper::nudge);
    }

    /** Does at once what is left on a volume. */
    void settle(MountedVolume volume) throws VolumeException, InterruptedException {
        VolumeKeeper keeper = keepers.get(volume.number());
        if (keeper != null) {
            keeper.settle();
        }
    }

    /** Writes again what the database still has the bytes of, whether or not it seems to be there. */
    void mend(MountedVolume volume) throws VolumeException, InterruptedException {
        VolumeKeeper keeper = keepers.get(volume.number());
        if (keeper != null) {
            keeper.distrust();
            keeper.settle();
        }
    }

    /**
     * From now on nothing is done for that owner: its books are being made anew. Those of a backup may want files removed that
     * have come back since, and have bytes that are on no volume.
     */
    void leaveOut(Owner owner) {
        leftOut.add(owner);
        keepers.values().forEach(VolumeKeeper::awaitRound);
    }

    /** Its books are right again. What they have the bytes of is written first, as it is in a store that no keeper trusts yet. */
    void letIn(Owner owner) {
        leftOut.remove(owner);
        nudgeAll();
    }

    void stop(MountedVolume volume) {
        VolumeKeeper keeper = keepers.remove(volume.number());
        if (keeper != null) {
            keeper.close();
        }
    }

    @Override
    public void close() {
        keepers.values().forEach(VolumeKeeper::close);
    }
}
