package io.entrepot.server.pool;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Recount;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.job.Task;
import io.entrepot.pool.job.Triggered;
import io.entrepot.server.json.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Long work that somebody starts over HTTP: the pool's jobs, and two that are jobs here only. What came of the last runs is
 * remembered. Safe for use by many threads.
 */
public final class Chores {
    private static final String CHECK = "check";
    private static final String RECOUNT = "recount";
    private static final String DEPTH = "depth";
    private static final String TENANT = "tenant";
    private static final int REMEMBERED = 200;

    /** A job runs once at a time, so when a run began says which it is. */
    private record Which(JobName job, Instant started) {}

    private final Pool pool;
    private final Map<JobName, JobHandle> last = forgetful();
    private final Map<Which, JobHandle> runs = forgetful();

    private static <K> Map<K, JobHandle> forgetful() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, JobHandle> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    public Chores(Pool pool) {
        this.pool = pool;
    }

    /** Starts one, unless it runs already; then that run is told. */
    Triggered start(JobName name, JobRequest request) {
        return switch (name.name()) {
            case CHECK -> start(name, this::check, request);
            case RECOUNT -> start(name, this::recount, request);
            default -> remember(pool.jobs().trigger(name, request));
        };
    }

    Triggered start(JobName name, Task task, JobRequest request) {
        return remember(pool.jobs().start(name, task, request));
    }

    Triggered remember(Triggered triggered) {
        remember(triggered.handle());
        return triggered;
    }

    void remember(JobHandle handle) {
        last.put(handle.job(), handle);
        runs.put(new Which(handle.job(), handle.report().started()), handle);
    }

    /** The last run that was started over HTTP. */
    Optional<JobHandle> last(JobName name) {
        return Optional.ofNullable(last.get(name));
    }

    /** One of the last runs that were started over HTTP, or met there. */
    Optional<JobHandle> run(JobName name, Instant started) {
        return Optional.ofNullable(runs.get(new Which(name, started)));
    }

    private JobResult check(JobRun run) throws InterruptedException {
        String depth = run.parameters().getOrDefault(DEPTH, Words.of(CheckDepth.BOOKS));
        CheckReport report = pool.check(Words.parse(CheckDepth.class, depth).orElseThrow(
                () -> new IllegalArgumentException("a check is of books, files or bytes, not " + depth)), run);
        run.keep(report);
        return new JobResult(report.sound() ? "all is sound" : report.problems().size() + " problems");
    }

    private JobResult recount(JobRun run) {
        List<TenantId> tenants = Optional.ofNullable(run.parameters().get(TENANT)).map(TenantId::new).map(List::of)
                .orElseGet(() -> pool.tenants().list().stream().map(Tenant::id).toList());
        List<String> corrections = new ArrayList<>();
        long files = 0;
        long bytes = 0;
        for (int i = 0; i < tenants.size(); i++) {
            run.checkpoint();
            run.progress(i, tenants.size(), tenants.get(i).name());
            Recount one = pool.quotas().recount(tenants.get(i));
            files += one.files();
            bytes += one.bytes();
            one.corrections().forEach(text -> corrections.add(one.tenant() + ": " + text));
        }
        if (!run.parameters().containsKey(TENANT)) {
            run.checkpoint();
            run.progress(tenants.size(), tenants.size(), "volumes");
            corrections.addAll(pool.volumes().recount());
        }
        run.keep(Map.of("files", files, "bytes", bytes, "corrections", List.copyOf(corrections)));
        return new JobResult(files + " files counted, " + corrections.size() + " corrections");
    }

    /** What the task has kept, as plain values. */
    static Optional<Map<String, Object>> report(JobHandle handle) {
        return handle.kept(CleanupReport.class).map(Reports::of).or(() -> handle.kept(CompactionResult.class)
                .map(Reports::of)).or(() -> handle.kept(ScrubReport.class).map(Reports::of))
                .or(() -> handle.kept(CheckReport.class).map(Reports::of))
                .or(() -> handle.kept(VolumeLoss.class).map(Reports::of))
                .or(() -> handle.kept(Map.class).map(Reports::of));
    }
}
