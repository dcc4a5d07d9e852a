package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.VolumeAdmin;
import io.entrepot.pool.job.JobHandle;
import java.util.List;

/** The volumes of a pool. Safe for use by many threads. */
public final class Volumes {
    private final VolumeAdmin admin;

    Volumes(VolumeAdmin admin) {
        this.admin = admin;
    }

    /**
     * Takes a directory, or what a backend was brought for, as a volume, from now on and after every restart.
     *
     * @throws InvalidSettingException if nobody provides the scheme of its location, or it cannot be a volume's
     */
    public VolumeInfo mount(VolumeSpec spec) throws InterruptedException {
        return Errors.told(() -> admin.mount(spec));
    }

    /**
     * Forgets a volume without files; what else is on it stays there. Its directory can be mounted again, under any name; not if
     * it has failed or is away: then it keeps its identity.
     */
    public void unmount(String name) {
        Errors.told(() -> {
            admin.unmount(name);
            return true;
        });
    }

    /** Takes no more files and keeps those it has. */
    public VolumeInfo setReadOnly(String name) {
        return Errors.told(() -> admin.setState(name, VolumeState.READ_ONLY));
    }

    /**
     * Moves its files to the other volumes while the pool runs, in a job {@code drain-NAME}; from now on it takes no new ones. The
     * job goes on after a restart, ends by itself when nothing is left but what cannot be moved, and is given up by
     * {@link #activate}, {@link #setReadOnly} or {@link #setSpare}. Files that are being processed are moved when that is over. If it fails, as no other
     * volume has room, it is tried again whenever volumes are tried. Cancelling the job stops it until this is called again or the
     * pool is opened again.
     */
    public JobHandle drain(String name) {
        return Errors.told(() -> admin.drain(name));
    }

    /**
     * Gives up a volume that is lost for good, in a job {@code give-up-NAME}: its files are taken out of the books, with an event
     * and their history each, and it is unmounted. Only one that has failed, and only as long as it has: one that is back keeps
     * what is left. Small files of which the database still has the bytes are put onto other volumes instead. Files that are being
     * processed are waited for; uploads that are kept there are dropped. Cancelling the job stops it: what is given up by then
     * stays so, and the volume takes no files until {@link #activate}. Where several processes share the pool, see to it that
     * the volume has failed for all of them.
     *
     * @param dryRun only says what would be lost
     * @return what it has done is {@linkplain JobHandle#kept kept} as a {@link VolumeLoss}, however it ends
     * @throws InvalidSettingException  if it works
     * @throws PoolUnavailableException if that is just being done, or only tried
     */
    public JobHandle giveUp(String name, boolean dryRun) throws InterruptedException {
        return Errors.told(() -> admin.giveUp(name, dryRun));
    }

    /** Takes files, also after a drain that was given up. */
    public VolumeInfo activate(String name) {
        return Errors.told(() -> admin.setState(name, VolumeState.ACTIVE));
    }

    /** Keeps the files it has, and takes others only when no volume in use has room for them: then it becomes active. */
    public VolumeInfo setSpare(String name) {
        return Errors.told(() -> admin.setState(name, VolumeState.SPARE));
    }

    /** So many bytes of it stay free, from now on and after every restart. */
    public VolumeInfo setHeadroom(String name, long bytes) {
        return Errors.told(() -> admin.setHeadroom(name, bytes));
    }

    /** By the order in which they were mounted. */
    public List<VolumeInfo> list() {
        return Errors.told(admin::list);
    }

    /** @throws VolumeNotFoundException if there is none */
    public VolumeInfo get(String name) {
        return Errors.told(() -> admin.get(name));
    }

    /** Of all volumes that work. */
    public long totalCapacity() {
        return list().stream().filter(volume -> volume.health() != VolumeHealth.FAILED).mapToLong(VolumeInfo::total)
                .sum();
    }

    /** What new files may take on all volumes together. */
    public long availableSpace() {
        return list().stream().filter(volume -> volume.state() == VolumeState.ACTIVE
                && volume.health() == VolumeHealth.HEALTHY).mapToLong(VolumeInfo::available).sum();
    }

    /**
     * Counts the files of all volumes in the books and puts the volumes' counters right, if they are not: by these it is decided
     * whether a volume is empty. Needed only if something has gone wrong that should not.
     *
     * @return what was wrong, in words; empty if all was right
     */
    public List<String> recount() {
        return Errors.told(admin::recount);
    }

    /** Makes everything durable on the volumes now that is durable in the database, and removes what is to go. */
    public void sync() throws InterruptedException {
        Errors.told(() -> {
            admin.sync();
            return true;
        });
    }

    /** Tries every volume now; otherwise that happens by itself. */
    public List<VolumeInfo> probe() throws InterruptedException {
        return Errors.told(admin::probe);
    }
}
