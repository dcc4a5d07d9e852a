package io.entrepot.pool.job;

/** There is a job of that name, which stays. */
public final class JobExistsException extends JobException {

    JobExistsException(JobName job) {
        super("pool.job-exists", "there is a job " + job + " already: choose another name");
    }
}
