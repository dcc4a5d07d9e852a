package io.entrepot.pool.job;

/** A request about jobs that is refused, or a run that is left. The code is stable. */
public abstract sealed class JobException extends RuntimeException
        permits NoSuchJobException, JobExistsException, JobsClosedException, JobCancelledException, NoDryRunException {
    private final String code;

    JobException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
