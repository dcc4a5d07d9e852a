package io.entrepot.pool.internal;

import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import java.util.Map;
import java.util.stream.Collectors;

/** Volumes that are being emptied, each by a job of its own: {@code drain-NAME}. Safe for use by many threads. */
final class Drains {
    private final Parts parts;

    Drains(Parts parts) {
        this.parts = parts;
    }

    private static JobName name(MountedVolume volume) {
        return new JobName("drain-" + volume.name());
    }

    /** The run of now if there is one. */
    JobHandle start(MountedVolume volume) {
        return parts.jobs().start(name(volume), run -> new Drain(parts, volume, run).run())
                .handle();
    }

    /**
     * Tries those again that could not go on: no other volume had room, say, or another process was clearing up. One that was
     * cancelled is left alone. What another process has begun and cannot end any more is gone on with here.
     */
    void again() {
        Map<JobName, JobState> known = parts.jobs().list().stream()
                .collect(Collectors.toMap(JobStatus::name, JobStatus::state));
        parts.volumes().all().stream().filter(volume -> volume.state() == VolumeState.DRAINING).filter(volume -> {
            JobState state = known.get(name(volume));
            return state == JobState.FAILED || (state == null && parts.stores().main().shared());
        }).forEach(this::start);
    }

    /** Goes on with what was under way when the pool was closed. */
    void resume() {
        parts.volumes().all().stream().filter(volume -> volume.state() == VolumeState.DRAINING).forEach(this::start);
    }
}
