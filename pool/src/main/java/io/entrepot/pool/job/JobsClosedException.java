package io.entrepot.pool.job;

/** Nothing is started any more: the pool is being closed. */
public final class JobsClosedException extends JobException {

    JobsClosedException(JobName job) {
        super("pool.jobs-closed", "job " + job + " is not started: the pool is being closed");
    }
}
