package io.entrepot.cli;

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
import io.entrepot.queue.RetryPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The story that the demo tells, a method for each chapter. What is counted on the way is compared with the pool's own books
 * at the end.
 */
final class DemoStory {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final int INVOICES = 8;
    private static final int REPORTS = 4;

    private final Path directory;
    private final Path data;
    private final Consumer<String> say;
    private final Map<TenantId, Long> written = new LinkedHashMap<>();

    DemoStory(Path directory, Consumer<String> say) {
        this.directory = directory;
        this.data = directory.resolve("data");
        this.say = say;
    }

    void tell() throws IOException, InterruptedException {
        try (Pool pool = Pool.open(data)) {
            filesArrive(pool);
        }
        DemoVictim victim = workerIsKilled();
        try (Pool pool = Pool.open(data)) {
            nothingIsLost(pool, victim);
            DemoWorkers workers = workersWork(pool, victim);
            volumeIsAdded(pool);
            workers.run();
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

    private DemoVictim workerIsKilled() throws IOException, InterruptedException {
        say("");
        say("2. A worker, a process of its own: ./entrepot work --tenant acme --term 2s -- sleep 600");
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
        say("3. Other workers take over, three for each tenant. Not all goes well:");
        DemoWorkers workers = new DemoWorkers(pool, List.of(ACME, GLOBEX), victim.lease(), this::say);
        workers.run();
        return workers;
    }

    private void volumeIsAdded(Pool pool) throws InterruptedException {
        say("");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.volumes().setReadOnly("main");
        write(pool, ACME, NewFile.named("invoice-9.pdf").in("inbox"));
        write(pool, ACME, NewFile.named("invoice-10.pdf").in("inbox"));
        StringBuilder there = new StringBuilder();
        for (VolumeInfo volume : pool.volumes().list()) {
            there.append(there.isEmpty() ? "" : ", ").append(volume.name()).append(" (")
                    .append(Words.of(volume.state())).append(") has ").append(volume.files());
        }
        say("4. A second volume is mounted and the first made read-only, while all goes on; two more invoices: "
                + there + ".");
    }

    private void oneFileIsExplained(Pool pool, FileLease lease) {
        say("");
        say("5. What became of the file whose worker was killed? ./entrepot pool explain " + lease.key());
        pool.explain(ACME, lease.key()).forEach(sentence -> say("   " + sentence));
    }

    private void booksAddUp(Pool pool, DemoWorkers workers) {
        say("");
        say("6. The books, kept and not counted:");
        Columns table = new Columns("   TENANT", "WRITTEN", "COMPLETED", "GIVEN UP", "WAITING").right(1, 2, 3, 4);
        written.forEach((tenant, files) -> {
            TenantUsage usage = pool.tenants().usage(tenant);
            long waiting = usage.files() - usage.failed();
            table.row("   " + tenant, files, workers.completed(tenant), usage.failed(), waiting);
            if (files != workers.completed(tenant) + usage.files()
                    || !pool.quotas().recount(tenant).corrections().isEmpty()) {
                throw new Failure("demo", "the books of " + tenant + " do not add up: " + usage);
            }
        });
        StringWriter text = new StringWriter();
        PrintWriter lines = new PrintWriter(text);
        table.print(lines);
        lines.flush();
        text.toString().lines().forEach(this::say);
        say("   written = completed + given up + waiting, and counting all files says the same.");
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
