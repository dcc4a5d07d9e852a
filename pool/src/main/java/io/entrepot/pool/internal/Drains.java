package io.entrepot.pool.internal;

import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
        return parts.jobs().start(name(volume), Task.withDryRun(run -> new Drain(parts, volume, run).run(),
                _ -> wouldMove(volume))).handle();
    }

    private JobResult wouldMove(MountedVolume volume) {
        if (volume.state() != VolumeState.DRAINING) {
            return new JobResult("dry run: nothing would be moved: volume " + volume.name() + " is not draining");
        }
        List<String> unknown = new ArrayList<>();
        long files = 0;
        for (Realm realm : Realm.all(parts, unknown::add)) {
            files += realm.fileCount(volume);
        }
        return new JobResult("dry run: would move " + files + " files from volume " + volume.name()
                + (unknown.isEmpty() ? "" : "; not counted: " + String.join("; ", unknown)));
    }

    /**
     * Tries those again that could not go on: no other volume had room, say, or another process was clearing up. One that was
     * cancelled is left alone, and a dry run changes nothing of that. What another process has begun and cannot end any more is gone on with here.
     */
    void again() {
        Map<JobName, JobStatus> known = parts.jobs().list().stream()
                .collect(Collectors.toMap(JobStatus::name, Function.identity()));
        parts.volumes().all().stream().filter(volume -> volume.state() == VolumeState.DRAINING).filter(volume -> {
            Optional<JobStatus> job = Optional.ofNullable(known.get(name(volume)));
            return job.isPresent()
                    ? job.get().state() != JobState.RUNNING && job.get().outcome().equals(Optional.of(JobState.FAILED))
                    : parts.stores().main().shared();
        }).forEach(this::start);
    }

    /** Goes on with what was under way when the pool was closed. */
    void resume() {
        parts.volumes().all().stream().filter(volume -> volume.state() == VolumeState.DRAINING).forEach(this::start);
    }
}
