package io.entrepot.server.pool;

import io.entrepot.pool.Backlog;
import io.entrepot.pool.Pool;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToLongFunction;

/** The pool in a few figures, and what opening it had to repair. */
public final class StatisticsRoutes {
    private record Figures(Instant at, Instant started, List<TenantUsage> usages, List<VolumeInfo> volumes,
            Backlog backlog) {
        long sum(ToLongFunction<TenantUsage> what) {
            return usages.stream().mapToLong(what).sum();
        }
    }

    private static final Answer<Figures> FIGURES = Answer.<Figures>named("Statistics")
            .with("at", Type.TIME, "When this was so.", Figures::at)
            .with("started", Type.TIME, "When the server was started.", Figures::started)
            .with("tenants", Type.COUNT, "How many.", it -> it.usages.size())
            .with("files", Type.COUNT, "Of all tenants.", it -> it.sum(TenantUsage::files))
            .with("bytes", Type.COUNT, "Of all tenants.", it -> it.sum(TenantUsage::bytes))
            .with("pending", Type.COUNT, "Can be claimed now.", it -> it.sum(TenantUsage::pending))
            .with("processing", Type.COUNT, "Workers have them.", it -> it.sum(TenantUsage::processing))
            .with("delayed", Type.COUNT, "Wait for their time.", it -> it.sum(TenantUsage::delayed))
            .with("completed", Type.COUNT, "Completed and kept.", it -> it.sum(TenantUsage::completed))
            .with("failed", Type.COUNT, "Given up.", it -> it.sum(TenantUsage::failed))
            .with("held", Type.COUNT, "Rebuilt, and wait to be released.", it -> it.sum(TenantUsage::held))
            .with("volumes", Type.COUNT, "How many.", it -> it.volumes.size())
            .with("total", Type.COUNT, "Bytes of all volumes.", it -> it.volumes.stream().mapToLong(VolumeInfo::total)
                    .sum())
            .with("free", Type.COUNT, "Free bytes of all volumes.", it -> it.volumes.stream()
                    .mapToLong(VolumeInfo::free).sum())
            .with("redo", Type.COUNT, "Small files whose bytes wait for a volume's sync.", it -> it.backlog.redo())
            .with("doomed", Type.COUNT, "Files that are gone and whose bytes are still there.", it -> it.backlog
                    .doomed());
    private static final Answer<RecoveryReport> RECOVERY = Answer.<RecoveryReport>named("Recovery")
            .with("at", Type.TIME, "When.", RecoveryReport::at)
            .with("cause", Type.TEXT, "Why there was one.", RecoveryReport::cause)
            .with("lines", Type.TEXTS, "What was done, for people.", RecoveryReport::lines)
            .with("file", Type.TEXT, "Where all of it is written down, on the server's machine.",
                    RecoveryReport::file);
    private static final Answer<List<RecoveryReport>> RECOVERIES = RECOVERY.listed("Recoveries", "recoveries");

    private final Pool pool;
    private final InstantSource wall;
    private final Instant started;

    public StatisticsRoutes(Pool pool, InstantSource wall) {
        this.pool = pool;
        this.wall = wall;
        this.started = wall.instant();
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/statistics").as("getStatistics", "Operations", "The pool in a few figures")
                        .gives(200, FIGURES, "Figures.").does(_ -> Reply.ok(FIGURES, figures())),
                Route.get("/v1/recoveries").as("listRecoveries", "Operations",
                        "What had to be recovered when the server was started; most often nothing")
                        .gives(200, RECOVERIES, "The recoveries.")
                        .does(_ -> Reply.ok(RECOVERIES, pool.recoveries())),
                Route.post("/v1/tenants/{tenant}/recover").as("recoverTenant", "Operations",
                        "Recover the damaged database of a tenant that has its own")
                        .gives(200, RECOVERY, "What was done.").problems(Code.INVALID_SETTING).inAudit()
                        .does(call -> Reply.ok(RECOVERY, pool.recoverShard(call.tenant()))));
    }

    private Figures figures() {
        List<TenantUsage> usages = pool.tenants().list().stream().map(Tenant::id).map(pool.tenants()::usage).toList();
        return new Figures(wall.instant(), started, usages, pool.volumes().list(), pool.backlog());
    }
}
