package io.entrepot.cli.access;

import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.RunReport;
import java.util.List;

/** What a pool does in the background, as commands use it. */
public interface JobAccess {

    List<JobStatus> list();

    /** Runs it now. If the same runs already, that is waited for instead. */
    LongWork<RunReport> run(JobName job, boolean dryRun);
}
