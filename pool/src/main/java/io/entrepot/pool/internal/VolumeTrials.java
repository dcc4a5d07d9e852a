package io.entrepot.pool.internal;

import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out how volumes do, by opening, trying and using them. Safe for use by many threads. */
final class VolumeTrials {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeTrials.class);

    /** What that costs, in words for the log. */
    private static final String UNDESCRIBED = "its files carry no descriptions, as on a file system without extended attributes: if"
            + " the database is lost, names, labels and checksums of its files are lost too";

    private final Store main;
    private final VolumeRows rows;
    private final Backends backends;
    private final Predicate<MountedVolume> isMounted;

    /** @param isMounted whether it still is: nothing is said of one that is not, and nothing of it stays open */
    VolumeTrials(Store main, VolumeRows rows, Backends backends, Predicate<MountedVolume> isMounted) {
        this.main = main;
        this.rows = rows;
        this.backends = backends;
        this.isMounted = isMounted;
    }

    /**
     * One that has failed is opened anew: after a failed sync nothing of what it was may be believed, and storage that was away
     * may be back as another device. What is held open of the old one stays usable until it is closed.
     */
    void open(MountedVolume volume, VolumeRows.Row row) throws InterruptedException {
        Backend backend;
        try {
            backend = backends.open(volume.location(), row.identity(), !row.made());
        } catch (VolumeException e) {
            ails(volume, VolumeHealth.FAILED, e);
            return;
        }
        if (!row.made()) {
            rows.made(row);
        }
        if (!backend.traits().described()) { // whoever mounted it was warned
            LOG.info("volume {} is opened, but {}", volume.name(), UNDESCRIBED);
        }
        Optional<Backend> before = volume.opened();
        refresh(volume, backend);
        boolean used = volume.isUsed(backend);
        if (used) {
            before.ifPresent(Backend::close);
        }
        if (!used || !isMounted.test(volume)) { // or unmounted meanwhile
            backend.close();
        }
    }

    /** It is new: whoever mounts it should know what it cannot do. */
    void mounted(MountedVolume volume, Backend backend) throws InterruptedException {
        if (!backend.traits().described()) {
            LOG.warn("volume {} is mounted, but {}", volume.name(), UNDESCRIBED);
        }
        refresh(volume, backend);
    }

    /** It works; says so if that is news. */
    void refresh(MountedVolume volume, Backend backend) throws InterruptedException {
        try {
            boolean back = volume.health() != VolumeHealth.HEALTHY && volume.opened().isPresent();
            volume.works(backend, backend.space());
            if (back) {
                LOG.info("volume {} is healthy again", volume.name());
                publish("volume.healthy", volume.name(), "{}");
            }
        } catch (VolumeException e) {
            ails(volume, VolumeHealth.FAILED, e);
        }
    }

    /** Tries a volume, and asks for its space; one that has failed is opened anew. */
    void probe(MountedVolume volume, VolumeRows.Row row) throws InterruptedException {
        if (volume.opened().isEmpty() || volume.health() == VolumeHealth.FAILED) {
            open(volume, row);
            return;
        }
        Backend backend = volume.opened().get();
        try {
            backend.probe();
            refresh(volume, backend);
        } catch (VolumeException e) {
            if (e.kind() == VolumeException.Kind.FULL) {
                refresh(volume, backend);
            }
            failed(volume, e);
        }
    }

    /**
     * Something failed there: what that says of the volume. A missing file is no fault of it; and of one that could not even be opened
     * nobody can tell anything but what it said itself, which would grow with each telling.
     */
    void failed(MountedVolume volume, VolumeException e) {
        if (volume.opened().isEmpty()) {
            return;
        }
        switch (e.kind()) {
            case READ_ONLY -> ails(volume, VolumeHealth.UNWRITABLE, e);
            case NOT_THE_VOLUME, HANGS, BROKEN -> ails(volume, VolumeHealth.FAILED, e);
            case FULL -> volume.full();
            case MISSING, EXISTS, CLOSED -> {
            }
        }
    }

    private void ails(MountedVolume volume, VolumeHealth health, VolumeException e) {
        if (volume.ails(health, String.valueOf(e.getMessage())) && isMounted.test(volume)) {
            LOG.warn("volume {} is {}: {}", volume.name(), health, e.getMessage());
            publish("volume." + health.name().toLowerCase(Locale.ROOT), volume.name(),
                    new Body().with("problem", String.valueOf(e.getMessage())).toString());
        }
    }

    void publish(String event, String volume, String body) {
        try {
            main.write(Owner.SYSTEM, tx -> {
                tx.publish(Owner.SYSTEM, event, volume, body);
                return true;
            });
        } catch (StoreException e) {
            LOG.warn("{} of volume {} could not be told: {}", event, volume, e.getMessage());
        }
    }
}
