package io.entrepot.cli.access;

import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.Volumes;
import io.entrepot.pool.job.RunReport;
import java.util.List;

/** Volumes of a pool in this process. */
record EmbeddedVolumes(Volumes volumes) implements VolumeAccess {

    @Override
    public List<VolumeInfo> list() {
        return volumes.list();
    }

    @Override
    public VolumeInfo get(String name) {
        return volumes.get(name);
    }

    @Override
    public VolumeInfo mount(VolumeSpec spec) throws InterruptedException {
        return volumes.mount(spec);
    }

    @Override
    public void unmount(String name) {
        volumes.unmount(name);
    }

    @Override
    public VolumeInfo setReadOnly(String name) {
        return volumes.setReadOnly(name);
    }

    @Override
    public VolumeInfo activate(String name) {
        return volumes.activate(name);
    }

    @Override
    public VolumeInfo setSpare(String name) {
        return volumes.setSpare(name);
    }

    @Override
    public VolumeInfo setHeadroom(String name, long bytes) {
        return volumes.setHeadroom(name, bytes);
    }

    @Override
    public LongWork<RunReport> drain(String name) {
        return EmbeddedWork.of(volumes.drain(name));
    }

    @Override
    public LongWork<VolumeLoss> giveUp(String name, boolean dryRun) throws InterruptedException {
        return EmbeddedWork.of(volumes.giveUp(name, dryRun), VolumeLoss.class);
    }

    @Override
    public List<String> recount() {
        return volumes.recount();
    }

    @Override
    public List<VolumeInfo> probe() throws InterruptedException {
        return volumes.probe();
    }
}
