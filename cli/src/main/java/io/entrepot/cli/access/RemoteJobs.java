package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Progress;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.job.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs of a pool behind a server. */
record RemoteJobs(Administration administration) implements JobAccess {
    /** What a server says when it runs already. */
    static final String RUNS_ALREADY = "http.exists";
    private static final String RUNNING = "running";
    private static final String EVERY = "every ";

    @Override
    public List<JobStatus> list() {
        return administration.jobs().stream().map(RemoteJobs::status).toList();
    }

    @Override
    public LongWork<RunReport> run(JobName job, boolean dryRun) {
        try {
            return RemoteWork.of(administration, administration.startJob(job.name(), dryRun, Map.of()));
        } catch (RequestRefusedException e) {
            if (!e.code().equals(RUNS_ALREADY)) {
                throw e;
            }
            Json now = administration.job(job.name());
            if (!now.get("state").text().equals(RUNNING)) {
                return run(job, dryRun); // it has just ended
            }
            if (!run(now.get("run")).request().equals(dryRun ? JobRequest.DRY_RUN : JobRequest.PLAIN)) {
                throw e; // it does something else
            }
            return RemoteWork.of(administration, now);
        }
    }

    private static JobStatus status(Json job) {
        Json run = job.get("run");
        return new JobStatus(new JobName(job.get("job").text()), Constants.parse(JobState.class, job.get("state")),
                schedule(job.get("schedule").text()), job.get("paused").truth(),
                run.isMissing() ? Optional.empty() : Optional.of(run(run)), Optional.empty(), Optional.empty(),
                Optional.empty(),
                job.get("runs").whole(), job.get("failures").whole(), job.get("next").time());
    }

    private static Schedule schedule(String text) {
        return text.startsWith(EVERY)
                ? Schedule.every(Duration.parse(text.substring(EVERY.length())))
                : Schedule.byHand();
    }

    static RunReport run(Json run) {
        return new RunReport(Constants.parse(JobState.class, run.get("state")),
                new JobRequest(run.get("dryRun").truth(), Constants.texts(run.get("parameters"))),
                Instant.parse(run.get("started").text()), run.get("ended").time(),
                new Progress(run.get("done").whole(), run.get("total").number(), run.get("text").find().orElse("")),
                run.get("cancelled").truth(), run.get("result").find(), run.get("error").find());
    }
}
