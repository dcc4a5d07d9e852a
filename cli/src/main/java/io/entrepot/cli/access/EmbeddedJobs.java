package io.entrepot.cli.access;

import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Jobs;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.job.Triggered;
import java.util.List;

/** Jobs of a pool in this process. */
record EmbeddedJobs(Jobs jobs) implements JobAccess {

    @Override
    public List<JobStatus> list() {
        return jobs.list();
    }

    @Override
    public LongWork<RunReport> run(JobName job, boolean dryRun) {
        JobRequest wanted = dryRun ? JobRequest.DRY_RUN : JobRequest.PLAIN;
        Triggered triggered = jobs.trigger(job, wanted);
        if (!triggered.started() && triggered.handle().report().request().dryRun() != dryRun) {
            throw new PoolUnavailableException(
                    "job " + job + " runs already, for something else; wait for it or stop it");
        }
        return EmbeddedWork.of(triggered.handle());
    }
}
