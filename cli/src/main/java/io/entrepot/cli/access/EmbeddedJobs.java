package io.entrepot.cli.access;

import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Jobs;
import io.entrepot.pool.job.RunReport;
import java.util.List;

/** Jobs of a pool in this process. */
record EmbeddedJobs(Jobs jobs) implements JobAccess {

    @Override
    public List<JobStatus> list() {
        return jobs.list();
    }

    @Override
    public LongWork<RunReport> run(JobName job, boolean dryRun) {
        return EmbeddedWork.of(jobs.trigger(job, dryRun ? JobRequest.DRY_RUN : JobRequest.PLAIN).handle());
    }
}
