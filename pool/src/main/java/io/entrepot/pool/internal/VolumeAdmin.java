package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.Task;
import io.entrepot.pool.job.Triggered;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators do with volumes. Safe for use by many threads. */
public final class VolumeAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeAdmin.class);

    private final VolumeBook book;
    private final Keepers keepers;
    private final Drains drains;
    private final Parts parts;
    private final Uploading uploading;

    public VolumeAdmin(Parts parts, Uploading uploading) {
        this.parts = parts;
        this.uploading = uploading;
        this.drains = new Drains(parts);
        this.book = parts.volumes();
        this.keepers = parts.keepers();
    }

    public VolumeInfo mount(VolumeSpec spec) throws InterruptedException {
        MountedVolume volume = book.mount(spec);
        keepers.start(volume);
        return get(spec.name());
    }

    /** Its directory can be mounted again, as the same or another one, unless it has failed. */
    public void unmount(String name) {
        unmount(name, true);
    }

    /** @param release its directory is nobody's from then on; a given-up one may still have the bytes of what was lost */
    void unmount(String name, boolean release) {
        MountedVolume volume = book.require(name);
        boolean settled = false;
        try {
            keepers.settle(volume); // what was deleted is not to stay there
            settled = true;
        } catch (VolumeException | StoreException e) { // whether it may go is decided below
            LOG.warn("volume {}: what was deleted may still be there: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        book.unmount(name);
        keepers.stop(volume);
        try {
            forgetWhatIsLeftOf(volume);
            if (release && settled && volume.health() == VolumeHealth.HEALTHY) {
                release(volume);
            }
        } finally {
            volume.opened().ifPresent(Backend::close);
        }
    }

    private void forgetWhatIsLeftOf(MountedVolume volume) {
        for (Realm realm : Realm.all(parts, problem -> LOG.warn("volume {}: {}", volume.name(), problem))) {
            realm.store().write(Owner.SYSTEM, tx -> {
                tx.update("DELETE FROM scrub_place WHERE volume = ?", volume.number());
                tx.update("DELETE FROM file_stuck WHERE volume = ?", volume.number());
                return tx.update("DELETE FROM file_doomed WHERE volume = ?", volume.number());
            });
        }
    }

    /** So that its directory can be mounted again. One that has failed keeps its name: nobody knows what is on it. */
    private static void release(MountedVolume volume) {
        try {
            volume.backend().release();
        } catch (VolumeException e) {
            LOG.warn(
                    "volume {} is unmounted, but keeps its name: to mount {} again, .entrepot/volume there has to be removed"
                            + " by hand: {}",
                    volume.name(), volume.location(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Draining, from now on and after every restart, until it is empty or an operator wants something else of it. */
    public JobHandle drain(String name) {
        MountedVolume volume = book.require(name);
        if (volume.state() != VolumeState.DRAINING) {
            book.setState(name, VolumeState.DRAINING);
        }
        return drains.start(volume);
    }

    /**
     * @throws InvalidSettingException  if it works
     * @throws PoolUnavailableException if that is just being done, or only tried
     */
    public JobHandle giveUp(String name, boolean dryRun) throws InterruptedException {
        MountedVolume volume = book.require(name);
        if (volume.health() != VolumeHealth.FAILED) {
            book.probe(); // nobody may have used it lately
        }
        if (volume.health() != VolumeHealth.FAILED) {
            throw new InvalidSettingException(
                    "volume " + name + " is " + volume.health() + " and has not failed: drain it,"
                            + " or remove single files");
        }
        Task giving = run -> new GivingUp(parts, uploading, this, volume, run).run(); // which asks what it is
        Triggered triggered = parts.jobs().start(new JobName("give-up-" + name), Task.withDryRun(giving, giving),
                new JobRequest(dryRun, Map.of()));
        if (!triggered.started() && triggered.handle().report().request().dryRun() != dryRun) {
            throw new PoolUnavailableException(
                    "job " + triggered.handle().job() + " runs already; wait for it or stop it");
        }
        return triggered.handle();
    }

    public VolumeInfo setState(String name, VolumeState state) {
        book.setState(name, state);
        return get(name);
    }

    public VolumeInfo setHeadroom(String name, long headroom) {
        book.setHeadroom(name, headroom);
        return get(name);
    }

    public List<VolumeInfo> list() {
        return book.infos();
    }

    public VolumeInfo get(String name) {
        MountedVolume volume = book.require(name);
        return volume.info(book.fileCount(volume));
    }

    /**
     * In one transaction for each database, so that nothing comes or goes meanwhile: other work there waits while the files are
     * counted. A shard that cannot be read has its own counters, and is left out.
     */
    public List<String> recount() {
        List<String> corrections = new ArrayList<>();
        for (Realm realm : Realm.all(parts, problem -> LOG.warn("volumes are counted without it: {}", problem))) {
            corrections.addAll(realm.store().write(Owner.SYSTEM, tx -> {
                List<TrueCounts.Wrong> wrong = TrueCounts.ofVolumes(tx, book.all());
                wrong.forEach(one -> tx.add(one.counter(), one.real() - one.counted()));
                List<String> words = wrong.stream().map(one -> one + " in database " + realm.name()).toList();
                if (!words.isEmpty()) {
                    tx.publish(Owner.SYSTEM, "volume.recounted", realm.name(),
                            new Body().with("corrections", String.join("; ", words)).toString());
                }
                return words;
            }));
        }
        return corrections;
    }

    public void sync() throws InterruptedException {
        for (MountedVolume volume : book.all()) {
            try {
                keepers.settle(volume);
            } catch (VolumeException e) {
                book.failed(volume, e);
                throw Writing.unavailable(volume, e);
            }
        }
    }

    public List<VolumeInfo> probe() throws InterruptedException {
        book.probe();
        keepers.nudgeAll();
        return list();
    }
}
