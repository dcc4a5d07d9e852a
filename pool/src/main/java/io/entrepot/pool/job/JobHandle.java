package io.entrepot.pool.job;

import java.time.Duration;
import java.util.Optional;

/** One run, for those who wait for it. Safe for use by many threads. */
public final class JobHandle {
    private final JobName job;
    private final JobRun run;

    JobHandle(JobName job, JobRun run) {
        this.job = job;
        this.run = run;
    }

    public JobName job() {
        return job;
    }

    public RunReport report() {
        return run.report();
    }

    /** Waits until the run has ended; nothing if it has not by then. */
    public Optional<RunReport> await(Duration longest) throws InterruptedException {
        return run.await(longest) ? Optional.of(run.report()) : Optional.empty();
    }

    /** What the task has kept so far, if it is of that type; see {@link JobRun#keep}. */
    public <T> Optional<T> kept(Class<T> type) {
        return run.kept(type);
    }

    /** Asks the run to stop; see {@link Jobs#cancel}. */
    public void cancel() {
        run.cancel();
    }
}
