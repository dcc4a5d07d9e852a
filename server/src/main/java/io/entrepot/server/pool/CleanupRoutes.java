package io.entrepot.server.pool;

import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.json.Words;
import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tidying up by hand. Each step is a job: see {@link JobRoutes}. */
public final class CleanupRoutes {
    /** What can be done, with the name of its job. */
    private enum Step {
        ALL("cleanup"), EMPTY_DIRECTORIES("cleanup-empty-directories"), TIMED_OUT("cleanup-timed-out"),
        PERMANENTLY_FAILED("cleanup-permanently-failed"), COMPLETED("cleanup-completed"),
        TEMPORARY_FILES("cleanup-temporary-files"), MISSING_BYTES("cleanup-missing-bytes"), FORGET("cleanup-forget"),
        ORPHANS("orphans"), COMPACT("compact"), SCRUB("scrub");

        private final String job;

        Step(String job) {
            this.job = job;
        }
    }

    private record Figures(CleanupStatistics counts, Optional<ScrubReport> scrub, Optional<Duration> retention) {}

    private static final Answer<Figures> FIGURES = Answer.<Figures>named("CleanupFigures")
            .with("counts", Reports.COUNTS.type(), "Since the server was started.", Figures::counts)
            .maybe("lastScrub", Reports.SCRUB.type(), "The last one since then.", Figures::scrub)
            .maybe("completedRetention", Type.DURATION, "How long completed files are kept; for ever if not said.",
                    Figures::retention);
    private static final Input<Step> STEP = Input.choice("step", Step.class, "What to do; all if not said.");
    private static final Input<Boolean> DRY_RUN = Input.truth("dryRun",
            "Say what would be done, and change nothing. Refused with `pool.no-dry-run` for a scrub.");
    private static final Input<Duration> OLDER = Inputs.duration("olderThan", "Only what is older; as configured if not"
            + " said.");
    private static final Input<TenantId> TENANT = Inputs.tenant("tenant", "Only of this tenant: permanently failed and"
            + " completed files, empty directories and orphans.");
    private static final Input<OrphanAction> ACTION = Input.choice("action", OrphanAction.class,
            "What is done with orphans.");
    private static final Input<Boolean> REMOVE = Input.truth("remove", "Take files out whose bytes are gone.");
    private static final Input<Boolean> ANEW = Input.truth("anew", "A scrub begins with the first file, and does not go"
            + " on with one that was cut short.");
    private static final Ask CLEAN = Ask.of("Cleanup", STEP, DRY_RUN, OLDER, TENANT, ACTION, REMOVE, ANEW);
    private static final String TAG = "Cleanup";

    private final Pool pool;
    private final Chores chores;
    private final Supplier<CleanupConfig> config;

    public CleanupRoutes(Pool pool, Chores chores, Supplier<CleanupConfig> config) {
        this.pool = pool;
        this.chores = chores;
        this.config = config;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/cleanup").as("getCleanup", TAG, "What was cleaned since the server was started")
                        .gives(200, FIGURES, "Figures.").does(_ -> Reply.ok(FIGURES, new Figures(
                                pool.cleanup().statistics(), pool.cleanup().lastScrub(),
                                config.get().completedRetention()))),
                Route.post("/v1/cleanup").as("startCleanup", TAG, "Clean now, in a job").takes(CLEAN)
                        .gives(202, JobRoutes.JOB, "The job that does it.")
                        .problems(Code.EXISTS, Code.INVALID_SETTING, Code.NO_DRY_RUN, Code.JOBS_CLOSED).inAudit()
                        .does(this::start));
    }

    private Reply start(Call call) throws IOException {
        Given given = call.body(CLEAN);
        Map<String, String> parameters = new TreeMap<>();
        given.find(OLDER).ifPresent(age -> parameters.put("older-than", age.toString()));
        given.find(TENANT).ifPresent(tenant -> parameters.put("tenant", tenant.name()));
        given.find(ACTION).ifPresent(action -> parameters.put("action", Words.of(action)));
        given.find(REMOVE).ifPresent(remove -> parameters.put("remove", remove.toString()));
        given.find(ANEW).ifPresent(anew -> parameters.put("anew", anew.toString()));
        Step step = given.get(STEP, Step.ALL);
        if (step == Step.COMPLETED && given.find(OLDER).or(() -> config.get().completedRetention()).isEmpty()) {
            throw new InvalidSettingException("completed files are kept for ever; say \"olderThan\"");
        }
        return JobRoutes.started(chores.start(new JobName(step.job), new JobRequest(given.get(DRY_RUN, false),
                parameters)), pool);
    }
}
