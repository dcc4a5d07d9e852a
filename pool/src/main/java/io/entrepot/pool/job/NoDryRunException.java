package io.entrepot.pool.job;

/** The job cannot say what it would do without doing it. Nothing was started. */
public final class NoDryRunException extends JobException {

    NoDryRunException(JobName job) {
        super("pool.no-dry-run",
                "job " + job + " has no dry run, and nothing was done: run it without, if it is to be done");
    }
}
