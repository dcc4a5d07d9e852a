package io.entrepot.pool.job;

/** Somebody has asked the run to stop, and it does. Thrown by {@link JobRun#checkpoint}; tasks let it through. */
public final class JobCancelledException extends JobException {

    JobCancelledException(JobName job) {
        super("pool.job-cancelled", "job " + job + " was asked to stop");
    }
}
