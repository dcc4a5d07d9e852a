package io.entrepot.pool.internal;

import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeState;
import io.entrepot.store.StoreException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a spare volume is taken into use: at once where nothing else has room for what is to be written, and ahead of that when
 * the others together have less available than was said. The one that was mounted first is the first, so that several processes
 * that find this at the same time mean the same one.
 *
 * <p>Safe for use by many threads: one at a time decides, and looks again when it is its turn, so that many who find no room add
 * one spare.
 */
final class Spares {
    private static final Logger LOG = LoggerFactory.getLogger(Spares.class);

    private final Collection<MountedVolume> volumes;
    private final VolumeChoice choice;
    private final Use use;
    private final ReentrantLock deciding = new ReentrantLock();
    private volatile long below;

    /** Makes it active, if it still is a spare; what other processes have done with it meanwhile is known after that. */
    interface Use {
        void use(MountedVolume spare, long available);
    }

    /** @param volumes all that there are now, as they change */
    Spares(Collection<MountedVolume> volumes, VolumeChoice choice, Use use, long below) {
        this.volumes = volumes;
        this.choice = choice;
        this.use = use;
        this.below = below;
    }

    /** From now on. */
    void below(long value) {
        below = value;
    }

    /** @return whether it makes sense to look for room again; if not, no spare has as much */
    boolean addFor(long bytes, List<MountedVolume> except) {
        deciding.lock();
        try {
            if (choice.hasRoom(volumes, bytes, except)) {
                return true; // others have added one, or ended something
            }
            Optional<MountedVolume> spare = volumes.stream().filter(Spares::isReady)
                    .filter(volume -> !except.contains(volume) && volume.available() >= bytes).findFirst();
            spare.ifPresent(this::add);
            return spare.isPresent() && spare.get().state() != VolumeState.SPARE;
        } finally {
            deciding.unlock();
        }
    }

    /** For a write, which has room or not whatever becomes of this. */
    void addIfShort() {
        if (isShort()) {
            try {
                addAhead();
            } catch (StoreException e) {
                LOG.debug("no spare could be added ahead; whoever tries the volumes does that again", e);
            }
        }
    }

    /** Adds as many as it takes to have as much available as was said. */
    void addAhead() {
        deciding.lock();
        try {
            for (MountedVolume spare : volumes) {
                if (isShort() && isReady(spare)) {
                    add(spare);
                }
            }
        } finally {
            deciding.unlock();
        }
    }

    private boolean isShort() {
        return below > 0 && available() < below && volumes.stream().anyMatch(Spares::isReady);
    }

    private long available() {
        return volumes.stream().filter(volume -> volume.takesFiles() && !volume.isFull())
                .mapToLong(volume -> Math.max(0, volume.available())).sum();
    }

    private static boolean isReady(MountedVolume volume) {
        return volume.state() == VolumeState.SPARE && volume.health() == VolumeHealth.HEALTHY && !volume.isFull();
    }

    private void add(MountedVolume spare) {
        long available = available();
        use.use(spare, available);
        if (spare.state() == VolumeState.ACTIVE) {
            LOG.warn("volume {} was a spare and takes files from now on: the others have {} bytes available",
                    spare.name(), available);
        }
    }
}
