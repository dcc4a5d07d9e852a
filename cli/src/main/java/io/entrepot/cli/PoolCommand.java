package io.entrepot.cli;

import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileOutcome.Kind;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.WorkQueue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The files of a pool, one step at a time. What is short is a method here, what is not is a class of its own. */
@Command(name = "pool", addMethodSubcommands = false,
        description = {"Store files, hand them out, and care for what holds them.",
                "Works on a data directory, which one process has at a time. A claim prints the lease that its ending needs."})
final class PoolCommand implements Callable<Integer>, CommandGroup {
    private static final String KEY = "The file's key, as put and ls print it.";
    private static final String LEASE = "As claim printed it.";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    /** To add a sub-command, write a class like {@link LsCommand} or a group like {@link QuotaCommand}, and add it here. */
    @Override
    public Map<String, Supplier<CommandSpec>> commands() {
        var table = new LinkedHashMap<String, Supplier<CommandSpec>>();
        table.put("put", () -> CommandSpec.forAnnotatedObject(new PutCommand()));
        table.put("get", () -> CommandSpec.forAnnotatedObject(new GetCommand()));
        table.put("ls", () -> CommandSpec.forAnnotatedObject(new LsCommand()));
        table.put("claim", () -> CommandSpec.forAnnotatedObject(new ClaimCommand()));
        table.put("tenants", () -> CommandSpec.forAnnotatedObject(new TenantsCommand()));
        table.put("volumes", () -> CommandSpec.forAnnotatedObject(new VolumesCommand()));
        table.put("quota", () -> CommandSpec.forAnnotatedObject(new QuotaCommand()));
        table.put("jobs", () -> CommandSpec.forAnnotatedObject(new JobsCommand()));
        table.put("watchers", () -> CommandSpec.forAnnotatedObject(new WatchersCommand()));
        table.put("uploads", () -> CommandSpec.forAnnotatedObject(new UploadsCommand()));
        table.put("cleanup", () -> CommandSpec.forAnnotatedObject(new CleanupCommand()));
        table.put("scrub", () -> CommandSpec.forAnnotatedObject(new ScrubCommand()));
        table.put("check", () -> CommandSpec.forAnnotatedObject(new CheckCommand()));
        table.put("backup", () -> CommandSpec.forAnnotatedObject(new BackupCommand()));
        table.put("restore", () -> CommandSpec.forAnnotatedObject(new RestoreCommand()));
        table.put("recover", () -> CommandSpec.forAnnotatedObject(new RecoverCommand()));
        table.put("run", () -> CommandSpec.forAnnotatedObject(new RunCommand()));
        table.put("events", () -> CommandSpec.forAnnotatedObject(new EventsCommand()));
        return table;
    }

    @Override
    public Map<String, List<String>> headings() {
        var headings = new LinkedHashMap<String, List<String>>();
        headings.put("Files", List.of("put", "get", "ls", "stat", "rm"));
        headings.put("Work", List.of("claim", "renew", "complete", "fail", "release"));
        headings.put("Operators", List.of("reset", "retry", "history", "explain", "events", "unhold"));
        headings.put("What holds them", List.of("tenants", "volumes", "quota", "watchers", "uploads"));
        headings.put("Care", List.of("run", "jobs", "cleanup", "scrub", "check", "backup", "restore", "recover"));
        return headings;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "What is known of a file now.")
    int stat(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", description = KEY) String key) throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            FileInfo file = pool.files().get(tenant.id(), OnPool.key(key));
            if (on.json) {
                on.out().println(new FileText(file).json());
            } else {
                new FileText(file).print(on.out());
            }
        }
        return ExitCode.OK;
    }

    @Command(description = {"Take files out for good.",
            "Whatever their state; whoever has one loses it."})
    int rm(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", arity = "1..*", description = KEY) List<String> keys,
            @Option(names = "--why", defaultValue = "removed by hand",
                    description = "For its history (default: ${DEFAULT-VALUE}).") String why)
            throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            for (String key : keys) {
                pool.files().delete(tenant.id(), OnPool.key(key), why);
                on.answer("removed  " + key, new JsonObject().with("key", key).with("removed", true));
            }
        }
        return ExitCode.OK;
    }

    @Command(description = {"Begin a lease's term anew.", "Exit code 4 if it is lost."})
    int renew(@Mixin OnPool on, @Parameters(paramLabel = "LEASE", description = LEASE) String lease)
            throws InterruptedException {
        FileLease held = FileLease.parse(lease);
        try (FilePool pool = on.reachFiles()) {
            pool.work().renew(held);
            on.answer("renewed", new JsonObject().with("lease", held).with("renewed", true));
        }
        return ExitCode.OK;
    }

    @Command(description = {"Say that a file is done: it goes.",
            "Exit code 4 if the lease is lost, 1 if it had ended in another way before."})
    int complete(@Mixin OnPool on, @Parameters(paramLabel = "LEASE", description = LEASE) String lease,
            @Option(names = "--keep", description = "Keep the file, as completed.") boolean keep)
            throws InterruptedException {
        FileLease held = FileLease.parse(lease);
        return end(on, held, Set.of(Kind.COMPLETED, Kind.KEPT),
                work -> keep ? work.completeAndKeep(held) : work.complete(held));
    }

    @Command(description = {"Say that a file could not be done.",
            "It is tried again by the tenant's rule, or given up."})
    int fail(@Mixin OnPool on, @Parameters(paramLabel = "LEASE", description = LEASE) String lease,
            @Option(names = "--error", defaultValue = "failed", description = "Why.") String error,
            @Option(names = "--for-good", description = "Do not try again.") boolean forGood)
            throws InterruptedException {
        FileLease held = FileLease.parse(lease);
        return end(on, held, Set.of(Kind.RETRYING, Kind.PERMANENTLY_FAILED),
                work -> forGood ? work.failForGood(held, error) : work.fail(held, error));
    }

    @Command(description = "Give a file back to its place, untried.")
    int release(@Mixin OnPool on, @Parameters(paramLabel = "LEASE", description = LEASE) String lease)
            throws InterruptedException {
        FileLease held = FileLease.parse(lease);
        return end(on, held, Set.of(Kind.RELEASED), work -> work.release(held));
    }

    /** The first ending counts: a lease that had ended in another way than is asked for now is no success. */
    private static int end(OnPool on, FileLease lease, Set<Kind> asked, Function<WorkQueue, FileOutcome> step)
            throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            FileOutcome outcome = step.apply(pool.work());
            on.answer(Words.of(outcome.kind()) + (outcome.repeated() ? "  (had ended so before)" : ""),
                    new JsonObject().with("lease", lease).with("outcome", outcome.kind()).with("at", outcome.at())
                            .with("repeated", outcome.repeated()));
            return asked.contains(outcome.kind()) ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    @Command(description = {"Make files pending again, as if they were new.",
            "Whatever their state; whoever has one loses it."})
    int reset(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", arity = "1..*", description = KEY) List<String> keys)
            throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            for (String key : keys) {
                pool.work().reset(tenant.id(), OnPool.key(key));
                on.answer("reset  " + key, new JsonObject().with("key", key).with("reset", true));
            }
        }
        return ExitCode.OK;
    }

    @Command(description = {"Try a file now, or all that were given up.",
            "One that waits for its next attempt need not wait; those that were given up get all their attempts again."})
    int retry(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", arity = "0..1", description = KEY) @Nullable String key,
            @Option(names = "--all-failed", description = "Every file that was given up.") boolean allFailed)
            throws InterruptedException {
        if (allFailed == (key != null)) {
            throw new Failure("usage", "name a file's key, or --all-failed", ExitCode.USAGE);
        }
        try (FilePool pool = on.reachFiles()) {
            if (key == null) {
                long files = pool.work().retryAllFailed(tenant.id());
                on.answer(files + " files are pending again", new JsonObject().with("files", files));
            } else {
                boolean waited = pool.work().retryNow(tenant.id(), OnPool.key(key));
                on.answer(waited ? "need not wait any longer" : "did not wait for anything",
                        new JsonObject().with("key", key).with("waited", waited));
            }
        }
        return ExitCode.OK;
    }

    @Command(description = {"What happened to a file.",
            "Also to one that is gone, as long as it is remembered."})
    int history(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", description = KEY) String key) throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            FileHistory history = pool.history(tenant.id(), OnPool.key(key));
            Columns table = new Columns("TIME", "WHAT", "EPOCH", "WORKER", "");
            for (HistoryEntry entry : history.entries()) {
                table.row(Times.of(entry.at()), entry.what(), entry.epoch() == 0 ? "-" : entry.epoch(),
                        entry.worker().orElse("-"), entry.note().orElse(""));
                if (on.json) {
                    on.out().println(new JsonObject().with("at", entry.at()).with("what", entry.what())
                            .with("epoch", entry.epoch()).with("worker", entry.worker()).with("note", entry.note()));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = "The same in sentences, and why the file is where it is.")
    int explain(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", description = KEY) String key) throws InterruptedException {
        try (FilePool pool = on.reachFiles()) {
            List<String> sentences = pool.explain(tenant.id(), OnPool.key(key));
            on.answer(String.join(System.lineSeparator(), sentences),
                    new JsonObject().with("key", key).with("sentences", sentences));
        }
        return ExitCode.OK;
    }

    @Command(description = {"Put files into the queue that were rebuilt and are held.",
            "After a recovery nobody knows whether such a file was processed before; 'ls --status held' lists them."})
    int unhold(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "KEY", arity = "0..*", description = KEY) @Nullable List<String> keys,
            @Option(names = "--all", description = "All of the tenant that are held.") boolean all)
            throws InterruptedException {
        if (all == (keys != null && !keys.isEmpty())) {
            throw new Failure("usage", "name a file's key, or --all", ExitCode.USAGE);
        }
        int exit = ExitCode.OK;
        try (FilePool pool = on.reachFiles()) {
            if (keys == null || all) {
                long files = pool.files().releaseAll(tenant.id());
                on.answer(files + " files are pending now", new JsonObject().with("files", files));
                return ExitCode.OK;
            }
            for (String key : keys) {
                boolean held = pool.files().release(tenant.id(), OnPool.key(key));
                exit = held ? exit : ExitCode.FAILED;
                on.answer((held ? "pending  " : "was not held  ") + key,
                        new JsonObject().with("key", key).with("held", held));
            }
        }
        return exit;
    }
}
