package io.entrepot.pool.internal;

import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;

/** Volumes that are being emptied, each by a job of its own: {@code drain-NAME}. Safe for use by many threads. */
final class Drains {
    private final Parts parts;

    Drains(Parts parts) {
        this.parts = parts;
    }

    /** The run of now if there is one. */
    JobHandle start(MountedVolume volume) {
        return parts.jobs().start(new JobName("drain-" + volume.name()), run -> new Drain(parts, volume, run).run())
                .handle();
    }

    /** Goes on with what was under way when the pool was closed. */
    void resume() {
        parts.volumes().all().stream().filter(volume -> volume.state() == VolumeState.DRAINING).forEach(this::start);
    }
}
