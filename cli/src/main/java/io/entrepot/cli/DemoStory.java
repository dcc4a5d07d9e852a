package io.entrepot.cli;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.queue.RetryPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The story that the demo tells, a method for each chapter. What is counted on the way is compared with the pool's own books
 * at the end.
 */
final class DemoStory {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final int INVOICES = 8;
    private static final int REPORTS = 4;
    private static final int SCANS = 3;
    private static final Duration MIN_AGE = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Path directory;
    private final Path data;
    private final Consumer<String> say;
    private final Ticker ticker = Ticker.system();
    private final Map<TenantId, Long> written = new LinkedHashMap<>();
    private long cleaned;

    DemoStory(Path directory, Consumer<String> say) {
        this.directory = directory;
        this.data = directory.resolve("data");
        this.say = say;
    }

    void tell() throws IOException, InterruptedException {
        try (Pool pool = Pool.open(data)) {
            filesArrive(pool);
            filesAreDropped(pool);
        }
        DemoVictim victim = workerIsKilled();
        try (Pool pool = Pool.open(data)) {
            nothingIsLost(pool, victim);
            DemoWorkers workers = workersWork(pool, victim);
            volumeIsDrained(pool);
            workers.run();
            cleanupCleans(pool);
            oneFileIsExplained(pool, victim.lease());
            booksAddUp(pool, workers);
        }
    }

    private void filesArrive(Pool pool) throws InterruptedException {
        pool.tenants().create(ACME);
        pool.tenants().setRetry(ACME, Optional.of(RetryPolicy.fixed(Duration.ofMillis(200), 3)));
        pool.tenants().create(GLOBEX, TenantLimits.NONE.withFiles(REPORTS));
        for (int i = 1; i <= INVOICES; i++) {
            write(pool, ACME, NewFile.named("invoice-" + i + ".pdf").in("inbox").withIdempotencyKey("upload-" + i));
        }
        for (int i = 1; i <= REPORTS; i++) {
            write(pool, GLOBEX, NewFile.named("report-" + i + ".csv").withPriority(i));
        }
        say("1. Two tenants: acme stores " + INVOICES + " invoices, globex " + REPORTS + " reports.");
        StoredFile again = pool.files().write(ACME,
                NewFile.named("invoice-1.pdf").in("inbox").withIdempotencyKey("upload-1"), content("invoice-1.pdf"));
        say("   acme is not sure of its first upload and sends it again: " + (again.created()
                ? "a second file."
                : "the same file, not a second one."));
        try {
            write(pool, GLOBEX, NewFile.named("report-5.csv"));
        } catch (PoolException e) {
            say("   globex has room for " + REPORTS + " files; one more is refused (" + e.code() + ").");
        }
    }

    /** Into a directory that is watched, as scanners and other programs do. */
    private void filesAreDropped(Pool pool) throws IOException, InterruptedException {
        Path inbox = directory.resolve("inbox");
        pool.watchers().add(WatcherSpec.ofTenant("inbox", ACME, inbox).withMinFileAge(MIN_AGE));
        for (int i = 1; i <= SCANS; i++) {
            Files.write(inbox.resolve("scan-" + i + ".tif"), content("scan-" + i + ".tif"));
        }
        long began = ticker.nanos();
        while (pool.watchers().status(new WatcherId("inbox")).importedFiles() < SCANS || !isEmpty(inbox)) {
            if (ticker.nanos() - began > PATIENCE.toNanos()) {
                throw new Failure("demo", "the watch folder was not emptied: "
                        + pool.watchers().status(new WatcherId("inbox")));
            }
            Thread.sleep(LOOK);
        }
        written.merge(ACME, (long) SCANS, Long::sum);
        say("");
        say("2. " + SCANS + " scans are dropped into a watch folder of acme: each was seen unchanged for "
                + MIN_AGE.toMillis() + " ms,");
        say("   is imported exactly once, and gone from the folder.");
        pool.watchers().disable(new WatcherId("inbox"));
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    private DemoVictim workerIsKilled() throws IOException, InterruptedException {
        say("");
        say("3. A worker, a process of its own: ./entrepot work --tenant acme --term 2s -- sleep 600");
        DemoVictim victim = DemoVictim.start(data, ACME);
        say("   It claims " + victim.file() + ", and while it works: kill -9.");
        victim.kill();
        return victim;
    }

    private void nothingIsLost(Pool pool, DemoVictim victim) {
        FileInfo file = pool.files().get(ACME, victim.lease().key());
        say("   Everything is still there: " + pool.tenants().usage(ACME).files() + " and "
                + pool.tenants().usage(GLOBEX).files() + " files; " + victim.file() + " is " + Words.of(file.status())
                + ", by " + file.worker().orElse("nobody") + ", until its lease runs out.");
    }

    private DemoWorkers workersWork(Pool pool, DemoVictim victim) throws InterruptedException {
        say("");
        say("4. Other workers take over, three for each tenant. Not all goes well:");
        DemoWorkers workers = new DemoWorkers(pool, List.of(ACME, GLOBEX), victim.lease(), this::say);
        workers.run();
        return workers;
    }

    private void volumeIsDrained(Pool pool) throws InterruptedException {
        say("");
        write(pool, ACME, NewFile.named("invoice-9.pdf").in("inbox"));
        write(pool, ACME, NewFile.named("invoice-10.pdf").in("inbox"));
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        say("5. Two more invoices come. A second volume is mounted, and the first drained while all goes on:");
        RunReport drained = pool.volumes().drain("main").await(PATIENCE)
                .orElseThrow(() -> new Failure("demo", "the drain did not end"));
        StringBuilder there = new StringBuilder();
        for (VolumeInfo volume : pool.volumes().list()) {
            there.append(there.isEmpty() ? "" : ", ").append(volume.name()).append(" has ").append(volume.files());
        }
        say("   " + drained.result().or(drained::error).orElse("") + "; " + there + ".");
        pool.volumes().unmount("main");
        say("   The first one is unmounted, and could be thrown away. The workers go on.");
    }

    private void cleanupCleans(Pool pool) throws InterruptedException {
        CleanupReport dry = pool.cleanup().permanentlyFailed(Duration.ZERO, true).await();
        CleanupStatistics done = pool.cleanup().permanentlyFailed(Duration.ZERO, false).await().counts();
        cleaned = done.permanentlyFailedFilesRemoved();
        say("");
        say("6. Cleanup of what was given up. A dry run says what would go: " + String.join("; ", dry.details()) + ".");
        say("   Then it goes: " + new CleanupText(done).words() + ".");
    }

    private void oneFileIsExplained(Pool pool, FileLease lease) {
        say("");
        say("7. What became of the file whose worker was killed? ./entrepot pool explain " + lease.key());
        pool.explain(ACME, lease.key()).forEach(sentence -> say("   " + sentence));
    }

    private void booksAddUp(Pool pool, DemoWorkers workers) throws InterruptedException {
        say("");
        say("8. The books, kept and not counted:");
        Columns table = new Columns("   TENANT", "WRITTEN", "COMPLETED", "CLEANED UP", "WAITING").right(1, 2, 3, 4);
        written.forEach((tenant, files) -> {
            TenantUsage usage = pool.tenants().usage(tenant);
            long gone = tenant.equals(ACME) ? cleaned : 0;
            table.row("   " + tenant, files, workers.completed(tenant), gone, usage.files());
            if (files != workers.completed(tenant) + gone + usage.files()
                    || !pool.quotas().recount(tenant).corrections().isEmpty()) {
                throw new Failure("demo", "the books of " + tenant + " do not add up: " + usage);
            }
        });
        StringWriter text = new StringWriter();
        PrintWriter lines = new PrintWriter(text);
        table.print(lines);
        lines.flush();
        text.toString().lines().forEach(this::say);
        say("   written = completed + cleaned up + waiting, and counting all files says the same.");
        CheckReport check = pool.check(CheckDepth.BYTES);
        if (!check.sound()) {
            throw new Failure("demo", "the check has found problems: " + check.problems());
        }
        say("   ./entrepot pool check --deep, at last: no problems.");
    }

    private void write(Pool pool, TenantId tenant, NewFile file) throws InterruptedException {
        pool.files().write(tenant, file, content(file.name().orElseThrow()));
        written.merge(tenant, 1L, Long::sum);
    }

    private static byte[] content(String name) {
        return ("what is in " + name).getBytes(StandardCharsets.UTF_8);
    }

    private void say(String line) {
        say.accept(line);
    }
}
