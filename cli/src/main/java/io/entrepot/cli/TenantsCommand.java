package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.cli.access.TenantAccess;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.queue.RetryPolicy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Who has files here, and what each may do. */
@Command(name = "tenants", addMethodSubcommands = false, description = "Create, limit, stop and delete tenants.")
final class TenantsCommand implements Callable<Integer> {
    private static final String UNLIMITED = "none";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "All tenants, with what they may and what they have.")
    int list(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = new Columns("TENANT", "STATUS", "FILES", "LIMIT", "BYTES", "LIMIT", "CREATED", "")
                    .right(2, 3, 4, 5);
            for (Tenant tenant : pool.tenants().list()) {
                TenantUsage usage = pool.tenants().usage(tenant.id());
                table.row(tenant.id(), Words.of(tenant.status()), usage.files(), limit(tenant.limits().files(), false),
                        Sizes.of(usage.bytes()), limit(tenant.limits().bytes(), true), Times.of(tenant.created()),
                        (tenant.paused() ? "paused " : "") + (tenant.sharded() ? "own database" : ""));
                if (on.json) {
                    on.out().println(json(tenant).with("files", usage.files()).with("bytes", usage.bytes()));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = "Make a tenant; also a data directory, if there is none.")
    int create(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant,
            @Option(names = "--files", paramLabel = "N", description = "At most so many files.") @Nullable String files,
            @Option(names = "--bytes", paramLabel = "SIZE",
                    description = "At most so much, as 500MiB.") @Nullable String bytes,
            @Option(names = "--warn", paramLabel = "PERCENT", description = "An event says when it has more than that"
                    + " much of a limit (default: 80; 0 never).") @Nullable Integer warn,
            @Option(names = "--shard", description = "With a database of its own.") boolean shard)
            throws InterruptedException {
        TenantLimits limits = limits(TenantLimits.NONE, files, bytes, warn);
        try (PoolAccess pool = on.reach()) {
            Tenant made = pool.tenants().create(new TenantId(tenant), limits, shard);
            on.answer("created  " + made.id(), json(made));
        }
        return ExitCode.OK;
    }

    @Command(description = "Let a tenant do everything again.")
    int enable(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant) throws InterruptedException {
        return change(on, tenants -> tenants.setStatus(new TenantId(tenant), TenantStatus.ENABLED));
    }

    @Command(description = "Refuse a tenant everything. Nothing is lost.")
    int disable(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant) throws InterruptedException {
        return change(on, tenants -> tenants.setStatus(new TenantId(tenant), TenantStatus.DISABLED));
    }

    @Command(description = "Take and hand out no more files of a tenant; reading and ending go on.")
    int suspend(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant) throws InterruptedException {
        return change(on, tenants -> tenants.setStatus(new TenantId(tenant), TenantStatus.SUSPENDED));
    }

    @Command(description = "Hand out no more files of a tenant until it is resumed.")
    int pause(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant) throws InterruptedException {
        return change(on, tenants -> tenants.setPaused(new TenantId(tenant), true));
    }

    @Command(description = "Hand out the files of a paused tenant again.")
    int resume(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant) throws InterruptedException {
        return change(on, tenants -> tenants.setPaused(new TenantId(tenant), false));
    }

    @Command(description = "Delete a tenant without files, and what is known of its past.")
    int delete(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant,
            @Option(names = "--with-files", description = "And all its files.") boolean withFiles)
            throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            pool.tenants().delete(new TenantId(tenant), withFiles);
            on.answer("deleted  " + tenant, new JsonObject().with("tenant", tenant).with("deleted", true));
        }
        return ExitCode.OK;
    }

    @Command(description = "Say how much a tenant may have; what is not named stays as it is.")
    int limits(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant,
            @Option(names = "--files", paramLabel = "N|none",
                    description = "At most so many files.") @Nullable String files,
            @Option(names = "--bytes", paramLabel = "SIZE|none",
                    description = "At most so much, as 500MiB.") @Nullable String bytes,
            @Option(names = "--warn", paramLabel = "PERCENT",
                    description = "An event says when it has more than that much of a limit.") @Nullable Integer warn)
            throws InterruptedException {
        TenantId id = new TenantId(tenant);
        return change(on, tenants -> tenants.setLimits(id, limits(tenants.get(id).limits(), files, bytes, warn)));
    }

    @Command(description = {"Say when a tenant's failed files are tried again; what is not named stays as it is.",
            "Without any option it only shows what holds."})
    int retry(@Mixin OnPool on, @Parameters(paramLabel = "TENANT") String tenant, @Mixin RetryOptions options)
            throws InterruptedException {
        options.requireFit();
        TenantId id = new TenantId(tenant);
        try (PoolAccess pool = on.reachExisting()) {
            TenantAccess tenants = pool.tenants();
            if (!options.areNone()) {
                tenants.setRetry(id, options.on(tenants.retryRule(id)));
            }
            Tenant now = tenants.get(id);
            RetryPolicy rule = tenants.retryRule(id);
            on.answer(text(now) + text(rule) + (now.retry().isEmpty() ? ", by the pool's rule" : ""),
                    json(now).with("inForce", json(rule)));
        }
        return ExitCode.OK;
    }

    @Command(description = "How many files each tenant has, by state; known without counting.")
    int usage(@Mixin OnPool on, @Parameters(paramLabel = "TENANT", arity = "0..*",
            description = "Only these.") @Nullable List<String> names) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            List<TenantId> ids = names == null || names.isEmpty()
                    ? pool.tenants().list().stream().map(Tenant::id).toList()
                    : names.stream().map(TenantId::new).toList();
            Columns table = new Columns("TENANT", "FILES", "BYTES", "PENDING", "DELAYED", "PROCESSING", "COMPLETED",
                    "FAILED", "HELD").right(1, 2, 3, 4, 5, 6, 7, 8);
            for (TenantId id : ids) {
                TenantUsage n = pool.tenants().usage(id);
                table.row(id, n.files(), Sizes.of(n.bytes()), n.pending(), n.delayed(), n.processing(), n.completed(),
                        n.failed(), n.held());
                if (on.json) {
                    on.out().println(new JsonObject().with("tenant", id).with("files", n.files())
                            .with("bytes", n.bytes()).with("pending", n.pending()).with("delayed", n.delayed())
                            .with("processing", n.processing()).with("completed", n.completed())
                            .with("failed", n.failed()).with("held", n.held()));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    private static int change(OnPool on, Function<TenantAccess, Tenant> step) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Tenant tenant = step.apply(pool.tenants());
            on.answer(text(tenant) + tenant.retry().map(TenantsCommand::text).orElse(""), json(tenant));
        }
        return ExitCode.OK;
    }

    private static String text(Tenant tenant) {
        return tenant.id() + " is " + Words.of(tenant.status()) + (tenant.paused() ? ", paused" : "") + "; files "
                + limit(tenant.limits().files(), false) + ", bytes " + limit(tenant.limits().bytes(), true);
    }

    private static String text(RetryPolicy retry) {
        return "; " + retry.attempts() + " attempts, the next after " + Times.of(retry.initial())
                + (retry.exponential() ? " and up to " + Times.of(retry.max()) : "");
    }

    private static TenantLimits limits(TenantLimits now, @Nullable String files, @Nullable String bytes,
            @Nullable Integer warn) {
        return new TenantLimits(files == null ? now.files() : limit(files), bytes == null ? now.bytes() : limit(bytes),
                warn == null ? now.warnPercent() : warn);
    }

    private static OptionalLong limit(String text) {
        return text.equals(UNLIMITED) ? OptionalLong.empty() : OptionalLong.of(Sizes.parse(text));
    }

    private static String limit(OptionalLong limit, boolean bytes) {
        if (limit.isEmpty()) {
            return "-";
        }
        return bytes ? Sizes.of(limit.getAsLong()) : Long.toString(limit.getAsLong());
    }

    private static JsonObject json(Tenant tenant) {
        return new JsonObject().with("tenant", tenant.id()).with("status", tenant.status())
                .with("paused", tenant.paused()).with("maxFiles", tenant.limits().files())
                .with("maxBytes", tenant.limits().bytes()).with("warnPercent", tenant.limits().warnPercent())
                .with("retry", tenant.retry().map(TenantsCommand::json))
                .with("created", tenant.created()).with("sharded", tenant.sharded());
    }

    private static Map<String, Object> json(RetryPolicy rule) {
        return new JsonObject().with("attempts", rule.attempts()).with("initial", rule.initial())
                .with("max", rule.max()).with("exponential", rule.exponential()).fields();
    }
}
