package io.entrepot.cli;

import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import java.util.List;

/** Volumes, as commands use them. */
interface VolumeAccess {

    List<VolumeInfo> list();

    VolumeInfo mount(VolumeSpec spec) throws InterruptedException;

    void unmount(String name);

    VolumeInfo setReadOnly(String name);

    VolumeInfo activate(String name);

    List<VolumeInfo> probe() throws InterruptedException;
}
