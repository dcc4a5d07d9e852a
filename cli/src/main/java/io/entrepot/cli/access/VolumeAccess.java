package io.entrepot.cli.access;

import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.RunReport;
import java.util.List;

/** Volumes, as commands use them. */
public interface VolumeAccess {

    List<VolumeInfo> list();

    VolumeInfo get(String name);

    VolumeInfo mount(VolumeSpec spec) throws InterruptedException;

    void unmount(String name);

    VolumeInfo setReadOnly(String name);

    VolumeInfo activate(String name);

    VolumeInfo setSpare(String name);

    VolumeInfo setHeadroom(String name, long bytes);

    /** Goes on, wherever the pool stays open, when nobody waits for it any longer. */
    LongWork<RunReport> drain(String name);

    LongWork<VolumeLoss> giveUp(String name, boolean dryRun) throws InterruptedException;

    /** What was wrong with their counters, in words. */
    List<String> recount();

    List<VolumeInfo> probe() throws InterruptedException;
}
