package io.entrepot.server.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.job.Triggered;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What runs in the background: seen, started and stopped. */
public final class JobRoutes {
    private static final Answer<RunReport> RUN = Answer.<RunReport>named("Run")
            .with("state", Type.choice(JobState.class), "How it is.", RunReport::state)
            .with("dryRun", Type.TRUTH, "It changes nothing.", run -> run.request().dryRun())
            .with("parameters", new Type.MapOf(Type.TEXT), "What was asked of it.", run -> run.request().parameters())
            .with("started", Type.TIME, "When it began.", RunReport::started)
            .maybe("ended", Type.TIME, "When it ended.", RunReport::ended)
            .with("done", Type.COUNT, "How far it is.", run -> run.progress().done())
            .maybe("total", Type.COUNT, "How far it goes, if that is known.", run -> run.progress().total())
            .with("text", Type.TEXT, "What is being done.", run -> run.progress().text())
            .with("cancelled", Type.TRUTH, "It was asked to stop.", RunReport::cancelled)
            .maybe("result", Type.TEXT, "What came of it.", RunReport::result)
            .maybe("error", Type.TEXT, "Why it failed.", RunReport::error);
    static final Answer<JobStatus> JOB = Answer.<JobStatus>named("Job")
            .with("job", Type.TEXT, "Its name.", JobStatus::name)
            .with("state", Type.choice(JobState.class), "How it is now, or how its last run ended.", JobStatus::state)
            .with("schedule", Type.TEXT, "When it runs by itself.", JobStatus::schedule)
            .with("paused", Type.TRUTH, "It does not run by itself until it is resumed.", JobStatus::paused)
            .maybe("run", RUN.type(), "The run of now, or the last one.", JobStatus::run)
            .with("runs", Type.COUNT, "How many have begun.", JobStatus::runs)
            .with("failures", Type.COUNT, "How many have failed.", JobStatus::failures)
            .maybe("next", Type.TIME, "When it runs by itself.", JobStatus::next);
    private static final Answer<List<JobStatus>> JOBS = JOB.listed("Jobs", "jobs");

    private record Reported(JobStatus status, Optional<Map<String, Object>> report) {}

    private static final Answer<Reported> REPORTED = Answer.<Reported>named("JobDetail")
            .including(JOB, Reported::status).maybe("report", new Type.Free(),
                    "What the last run has found and done, in figures, if it was started over HTTP.", Reported::report);

    private static final Input<String> NAME = Input.text("job",
            "Its name: one of the list, `check` (parameter `depth`: books, files, bytes) or `recount` (parameter `tenant`; without it all"
                    + " tenants and the volumes).")
            .required();
    private static final Input<Boolean> DRY_RUN = Input.truth("dryRun",
            "Say what would be done, and change nothing. Refused with `pool.no-dry-run` by jobs that cannot.");
    private static final Input<Map<String, String>> PARAMETERS = Input.texts("parameters", "What it is to do; up to the"
            + " job.");
    private static final Ask START = Ask.of("JobStart", NAME, DRY_RUN, PARAMETERS);
    private static final Input<Duration> WAIT = Inputs.duration("wait",
            "How long to wait for the end of a run that was started over HTTP; the server may wait less.");
    private static final Input<Instant> WHICH = Inputs.time("run", "The run that began then, as it was told when it was"
            + " started over HTTP, whatever has run since; the last one if not said.");
    private static final String ONE = "/v1/jobs/{job}";
    private static final String TAG = "Jobs";

    private final Pool pool;
    private final Chores chores;
    private final Closing closing;
    private final Supplier<Duration> maxWait;

    public JobRoutes(Pool pool, Chores chores, Closing closing, Supplier<Duration> maxWait) {
        this.pool = pool;
        this.chores = chores;
        this.closing = closing;
        this.maxWait = maxWait;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/jobs").as("listJobs", TAG, "All jobs, by name").gives(200, JOBS, "The jobs.")
                        .does(_ -> Reply.ok(JOBS, pool.jobs().list())),
                Route.post("/v1/jobs").as("startJob", TAG, "Run a job now").takes(START)
                        .gives(202, JOB, "It runs.")
                        .problems(Code.NO_SUCH_JOB, Code.EXISTS, Code.NO_DRY_RUN, Code.JOBS_CLOSED).inAudit()
                        .does(this::start),
                Route.get(ONE).as("getJob", TAG, "How a job is, and what its last run came to").query(WAIT, WHICH)
                        .gives(200, REPORTED, "The job.").problems(Code.NO_SUCH_JOB, Code.NO_SUCH_RESOURCE)
                        .does(this::get),
                Route.post(ONE + "/cancel").as("cancelJob", TAG, "Ask its run to stop").query(WHICH)
                        .gives(200, JOB, "The job.").problems(Code.NO_SUCH_JOB, Code.NO_SUCH_RESOURCE).inAudit()
                        .does(this::cancel),
                Route.post(ONE + "/pause").as("pauseJob", TAG, "It does not run by itself until it is resumed")
                        .gives(200, JOB, "The job.").problems(Code.NO_SUCH_JOB).inAudit().does(call -> {
                            pool.jobs().pause(name(call));
                            return Reply.ok(JOB, pool.jobs().get(name(call)));
                        }),
                Route.post(ONE + "/resume").as("resumeJob", TAG, "It runs by itself again")
                        .gives(200, JOB, "The job.").problems(Code.NO_SUCH_JOB).inAudit().does(call -> {
                            pool.jobs().resume(name(call));
                            return Reply.ok(JOB, pool.jobs().get(name(call)));
                        }));
    }

    private static JobName name(Call call) {
        try {
            return new JobName(call.path("job"));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Code.NO_SUCH_JOB, "there is no job " + call.path("job"));
        }
    }

    private Reply start(Call call) throws IOException {
        Given given = call.body(START);
        JobName name = new JobName(given.get(NAME));
        Triggered triggered = chores.start(name, new JobRequest(given.get(DRY_RUN, false), given.get(PARAMETERS,
                Map.of())));
        return started(triggered, pool);
    }

    /** @throws ProblemException if it ran already: it may be for something else */
    static Reply started(Triggered triggered, Pool pool) {
        if (!triggered.started()) {
            throw new ProblemException(Code.EXISTS, "job " + triggered.handle().job()
                    + " runs already; wait for it or cancel it");
        }
        return begun(triggered.handle(), pool);
    }

    static Reply begun(JobHandle handle, Pool pool) {
        return Reply.of(202, JOB, status(handle, pool)).with("Location", "/v1/jobs/" + handle.job());
    }

    /** The job as that run has it: another one may have begun since. */
    private static JobStatus status(JobHandle handle, Pool pool) {
        JobStatus now = pool.jobs().get(handle.job());
        RunReport run = handle.report();
        return new JobStatus(now.name(), run.state(), now.schedule(), now.paused(), Optional.of(run), now.outcome(),
                now.lastResult(),
                now.lastError(), now.runs(), now.failures(), now.next());
    }

    private Reply get(Call call) throws Exception {
        JobName name = name(call);
        Optional<JobHandle> wanted = wanted(call, name);
        Optional<JobHandle> handle = wanted.or(() -> chores.last(name));
        Duration wait = call.query(WAIT, Duration.ZERO);
        Duration longest = maxWait.get();
        if (handle.isPresent() && wait.isPositive()) {
            Optional<RunReport> _ = closing.waiting(
                    () -> handle.get().await(wait.compareTo(longest) > 0 ? longest : wait));
        }
        return Reply.ok(REPORTED, new Reported(wanted.map(run -> status(run, pool)).orElseGet(() -> pool.jobs().get(
                name)), handle.flatMap(Chores::report)));
    }

    private Reply cancel(Call call) {
        JobName name = name(call);
        wanted(call, name).ifPresentOrElse(JobHandle::cancel, () -> pool.jobs().cancel(name));
        return Reply.ok(JOB, pool.jobs().get(name));
    }

    /** The run that is asked for; empty if none is. */
    private Optional<JobHandle> wanted(Call call, JobName name) {
        return call.query(WHICH).map(started -> chores.run(name, started).orElseThrow(
                () -> new ProblemException(Code.NO_SUCH_RESOURCE, "nothing is known of a run of job " + name
                        + " that began at " + started + ": it is long ago, or the server was started again since")));
    }
}
