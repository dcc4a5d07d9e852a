package io.entrepot.pool.job;

/** What a job does. Runs on a virtual thread of its own, and never twice at a time for the same job. */
@FunctionalInterface
public interface Task {

    /**
     * Calls {@link JobRun#checkpoint} often, where it can be left without harm. Whatever it throws is kept as the run's error
     * and stops nothing else.
     */
    JobResult run(JobRun run) throws Exception;
}
