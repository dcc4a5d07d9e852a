package io.entrepot.pool.internal;

import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.job.Task;
import io.entrepot.pool.job.Triggered;
import io.entrepot.queue.ItemState;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that tidy up, and what they have done since the pool was opened. Safe for use by many threads: the sums are changed
 * under their own lock, and all else is in the jobs.
 */
public final class CleanupDesk {
    public static final String ALL = "cleanup";
    public static final String EMPTY_DIRECTORIES = "cleanup-empty-directories";
    public static final String TIMED_OUT = "cleanup-timed-out";
    public static final String PERMANENTLY_FAILED = "cleanup-permanently-failed";
    public static final String COMPLETED = "cleanup-completed";
    public static final String TEMPORARY_FILES = "cleanup-temporary-files";
    public static final String MISSING_BYTES = "cleanup-missing-bytes";
    public static final String FORGET = "cleanup-forget";
    public static final String ORPHANS = "orphans";
    public static final String COMPACT = "compact";
    public static final String SCRUB = "scrub";
    /** A scrub does not go on with one that was cut short. */
    public static final String ANEW = "anew";
    /** Parameters of jobs. */
    public static final String TENANT = "tenant";
    public static final String OLDER_THAN = "older-than";
    public static final String ACTION = "action";
    public static final String REMOVE = "remove";

    /** What runs every few days. */
    private static final Set<String> KEPT_TRACK_OF = Set.of(ORPHANS, COMPACT, SCRUB);

    private final Parts parts;
    private final Expiries expiries;
    private final Backends backends;
    private final CleanupTotals totals = new CleanupTotals();
    private final Almanac almanac;
    private volatile @Nullable ScrubReport lastScrub;

    CleanupDesk(Parts parts, Expiries expiries, Backends backends) {
        this.parts = parts;
        this.expiries = expiries;
        this.backends = backends;
        this.almanac = new Almanac(parts.stores().main());
    }

    private CleanupConfig config() {
        return parts.config().cleanup();
    }

    private Optional<Export> export(CleanupConfig config) {
        return config.exportDirectory().map(directory -> new Export(parts, backends, directory));
    }

    /** When jobs run from now on, of those for which that is to be different. */
    Map<JobName, Schedule> schedules(CleanupConfig before, CleanupConfig after) {
        Map<JobName, Schedule> changed = new HashMap<>();
        if (!after.every().equals(before.every())) {
            changed.put(new JobName(ALL), every(after));
        }
        if (!after.orphansEvery().equals(before.orphansEvery())) {
            changed.put(new JobName(ORPHANS), almanac.schedule(ORPHANS, after.orphansEvery()));
        }
        if (!after.compactEvery().equals(before.compactEvery())) {
            changed.put(new JobName(COMPACT), almanac.schedule(COMPACT, after.compactEvery()));
        }
        if (!after.scrubEvery().equals(before.scrubEvery())) {
            changed.put(new JobName(SCRUB), almanac.schedule(SCRUB, after.scrubEvery()));
        }
        return changed;
    }

    private static Schedule every(CleanupConfig config) {
        return config.every().map(Schedule::every).orElseGet(Schedule::byHand);
    }

    /** Makes the jobs known. */
    void register() {
        CleanupConfig config = config();
        register(ALL, every(config), _ -> this::all);
        byHand(EMPTY_DIRECTORIES, run -> new EmptyDirectorySweep(parts, tenant(run)));
        byHand(TIMED_OUT, run -> new TimeoutSweep(parts, expiries, age(run)));
        byHand(PERMANENTLY_FAILED, run -> failed(age(run).orElse(config().failedRetention()), tenant(run)));
        byHand(COMPLETED, run -> completed(run, config()));
        byHand(TEMPORARY_FILES, run -> new TemporarySweep(parts, age(run).orElse(config().temporaryAge())));
        byHand(MISSING_BYTES, run -> new MissingScan(parts, Boolean.parseBoolean(run.parameters().get(REMOVE))));
        byHand(FORGET, _ -> new ForgetSweep(parts));
        register(ORPHANS, almanac.schedule(ORPHANS, config.orphansEvery()), run -> new OrphanScan(parts, action(run),
                age(run).orElse(config().orphanAge()), tenant(run)));
        job(COMPACT, almanac.schedule(COMPACT, config.compactEvery()), Task.withDryRun(this::compact, this::compact));
        job(SCRUB, almanac.schedule(SCRUB, config.scrubEvery()), this::scrub);
    }

    private RetentionSweep failed(Duration age, Optional<TenantId> only) {
        return new RetentionSweep(parts, ItemState.DEAD, age, Optional.empty(), only);
    }

    /** Whether they go, and where to, is of one moment: what was to be moved must not be deleted as that is changed. */
    private RetentionSweep completed(CleanupConfig config, Duration age, Optional<TenantId> only) {
        return new RetentionSweep(parts, ItemState.KEPT, age, export(config), only);
    }

    private RetentionSweep completed(JobRun run, CleanupConfig config) {
        return completed(config, age(run).or(config::completedRetention).orElseThrow(
                () -> new InvalidSettingException("completed files are kept for ever; say " + OLDER_THAN)),
                tenant(run));
    }

    /** What is done by itself, one after the other, whatever becomes of each. */
    private void all(Tally tally) throws InterruptedException {
        record Part(String name, Sweep sweep) {}
        CleanupConfig config = config();
        List<Part> sweeps = new ArrayList<>();
        sweeps.add(new Part("files that timed out", new TimeoutSweep(parts, expiries, config.processingTimeout())));
        sweeps.add(new Part("files that failed for good", failed(config.failedRetention(), Optional.empty())));
        config.completedRetention()
                .ifPresent(age -> sweeps.add(new Part("completed files", completed(config, age, Optional.empty()))));
        sweeps.add(new Part("temporary files", new TemporarySweep(parts, config.temporaryAge())));
        sweeps.add(new Part("empty directories", new EmptyDirectorySweep(parts, Optional.empty())));
        sweeps.add(new Part("what is remembered", new ForgetSweep(parts)));
        for (int i = 0; i < sweeps.size(); i++) {
            Part part = sweeps.get(i);
            tally.progress(i, sweeps.size(), part.name);
            tally.attempt(part.name, () -> part.sweep.run(tally));
        }
        tally.progress(sweeps.size(), sweeps.size(), "");
    }

    private void byHand(String name, Function<JobRun, Sweep> sweep) {
        register(name, Schedule.byHand(), sweep);
    }

    private void register(String name, Schedule schedule, Function<JobRun, Sweep> sweep) {
        Task task = run -> {
            Tally tally = new Tally(run);
            try {
                sweep.apply(run).run(tally);
            } finally {
                run.keep(tally.report());
                totals.add(tally);
            }
            return ended(name, tally, tally.words());
        };
        job(name, schedule, Task.withDryRun(task, task)); // every sweep asks its tally
    }

    private void job(String name, Schedule schedule, Task task) {
        parts.jobs().register(new JobName(name), schedule, task);
    }

    /** A run that left something undone has failed, so that somebody looks; what it did is told all the same. */
    private JobResult ended(String name, Tally tally, String words) {
        if (KEPT_TRACK_OF.contains(name) && !tally.isDryRun()) {
            almanac.ran(name);
        }
        if (!tally.problems().isEmpty()) {
            throw new PoolUnavailableException(words);
        }
        return new JobResult(words);
    }

    private JobResult compact(JobRun run) throws InterruptedException {
        Tally tally = new Tally(run);
        Compaction compaction = new Compaction(parts);
        try {
            compaction.run(tally);
        } finally {
            run.keep(compaction.result(tally));
            totals.add(tally);
        }
        return ended(COMPACT, tally, compaction.words(tally));
    }

    private JobResult scrub(JobRun run) throws InterruptedException {
        Tally tally = new Tally(run);
        Scrub scrub = new Scrub(parts, Boolean.parseBoolean(run.parameters().get(ANEW)));
        try {
            scrub.run(tally);
        } finally {
            lastScrub = scrub.report(tally);
            run.keep(scrub.report(tally));
        }
        return ended(SCRUB, tally, scrub.words() + (tally.problems().isEmpty()
                ? ""
                : "; not read: " + String.join("; ", tally.problems())));
    }

    private static Optional<TenantId> tenant(JobRun run) {
        return Optional.ofNullable(run.parameters().get(TENANT)).map(TenantId::new);
    }

    private static Optional<Duration> age(JobRun run) {
        return Optional.ofNullable(run.parameters().get(OLDER_THAN)).map(text -> {
            try {
                return Duration.parse(text);
            } catch (DateTimeException e) {
                throw new InvalidSettingException("\"" + text + "\" is not a duration: write PT1H or P7D", e);
            }
        });
    }

    private OrphanAction action(JobRun run) {
        return Optional.ofNullable(run.parameters().get(ACTION)).map(text -> {
            try {
                return OrphanAction.valueOf(text.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new InvalidSettingException("orphans are reported, deleted or imported; \"" + text
                        + "\" is none of report, delete, import", e);
            }
        }).orElse(config().orphans());
    }

    /** @throws PoolUnavailableException if it runs already: it may be for something else */
    public JobHandle start(String job, boolean dryRun, Map<String, String> parameters) {
        Triggered triggered = parts.jobs().trigger(new JobName(job), new JobRequest(dryRun, parameters));
        if (!triggered.started()) {
            throw new PoolUnavailableException("job " + job + " runs already; wait for it or stop it");
        }
        return triggered.handle();
    }

    public Optional<ScrubReport> lastScrub() {
        return Optional.ofNullable(lastScrub);
    }

    public CleanupStatistics statistics() {
        return totals.statistics(expiries.count(), parts.keepers().directoriesRemoved());
    }
}
