package io.entrepot.pool;

import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;

/** Cleaning that was started: it can be watched, stopped and waited for. Safe for use by many threads. */
public final class CleanupRun<R> {
    private static final Duration FOR_EVER = Duration.ofDays(3650);

    private final JobHandle job;
    private final Class<R> result;

    CleanupRun(JobHandle job, Class<R> result) {
        this.job = job;
        this.result = result;
    }

    public JobHandle job() {
        return job;
    }

    /**
     * Waits for its end. What was done until then is told if it was stopped, and if some of it failed.
     *
     * @throws PoolUnavailableException if it failed altogether
     */
    public R await() throws InterruptedException {
        RunReport report = job.await(FOR_EVER).orElseThrow();
        return job.kept(result).orElseThrow(
                () -> new PoolUnavailableException(report.error().orElse("job " + job.job() + " was stopped")));
    }
}
