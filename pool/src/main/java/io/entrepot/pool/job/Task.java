package io.entrepot.pool.job;

import java.util.Optional;

/** What a job does. Runs on a virtual thread of its own, and never twice at a time for the same job. */
@FunctionalInterface
public interface Task {

    /**
     * Calls {@link JobRun#checkpoint} often, where it can be left without harm. Whatever it throws is kept as the run's error
     * and stops nothing else.
     */
    JobResult run(JobRun run) throws Exception;

    /**
     * What runs instead when somebody asks for a dry run. Nothing unless the task was made {@linkplain #withDryRun to have one}:
     * then a dry run is refused, as the task would do the real thing.
     */
    default Optional<Task> dryRun() {
        return Optional.empty();
    }

    /**
     * A task that can be run dry.
     *
     * @param dry says what {@code real} would do, and changes nothing; may be the same if that heeds {@link JobRun#isDryRun}
     */
    static Task withDryRun(Task real, Task dry) {
        return new Task() {
            @Override
            public JobResult run(JobRun run) throws Exception {
                return real.run(run);
            }

            @Override
            public Optional<Task> dryRun() {
                return Optional.of(dry);
            }
        };
    }
}
