package io.entrepot.cli;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Stores files. Several are written at a time, as writers share their syncs; so their order among each other is not promised.
 * One that cannot be read or stored under its name is told and left out; when the pool refuses one for another reason, it is said which, and the
 * rest is not tried.
 */
@Command(name = "put", description = {"Store files; prints a key for each.",
        "What is printed is on disk, and survives a crash and a power cut.",
        "A directory is gone through: what lies deeper in it gets its relative path below --dir as logical directory."})
final class PutCommand implements Callable<Integer> {
    private static final int WRITERS = 8;
    private static final Path STANDARD_INPUT = Path.of("-");

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    TenantOption tenant;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files and directories; - is standard input.")
    @SuppressWarnings("NullAway.Init") // required
    List<Path> files;

    @Option(names = "--dir", paramLabel = "PATH", defaultValue = "/",
            description = "The logical directory, for quotas and for people (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String directory;

    @Option(names = "--name", paramLabel = "NAME", description = "Call it so; only for a single file.")
    @Nullable
    String name;

    @Option(names = "--key", paramLabel = "KEY",
            description = "An idempotency key: the same key, content and name is the same file; only for a single file.")
    @Nullable
    String key;

    @Option(names = "--resume", description = {
            "If it is cut short, the same command goes on: what it has stored is not stored again,",
            "unless its path, size or time of change is another one. To be given from the first time on; known for 7 days."})
    boolean resume;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "A label; may be repeated.")
    Map<String, String> labels = Map.of();

    @Option(names = "--priority", paramLabel = "N", defaultValue = "0", description = "Higher goes first.")
    int priority;

    @Option(names = "--delay", paramLabel = "DURATION", description = "Hand it out after so long, as 90s, 5m, 2h.")
    @Nullable
    String delay;

    private final Transfer transfer = Transfer.now();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong known = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong unread = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PutSources sources = new PutSources(files, directory, this::leaveOut, this::tellPool);
        if ((name != null || key != null) && !isSingle()) {
            throw new Failure("usage", "--name and --key are for a single file", ExitCode.USAGE);
        }
        if (resume && (key != null || files.contains(STANDARD_INPUT))) {
            throw new Failure("usage", "--resume makes the keys of files by itself: leave out --key and standard input",
                    ExitCode.USAGE);
        }
        sources.requireUsable();
        LogicalDirectory.of(directory); // or each file would be refused for it
        try (FilePool pool = on.reach().pool(); ProgressLine _ = ProgressLine.ofTerminal(this::underWay, on.err())) {
            putAll(pool, sources);
        }
        Throwable refused = refusal.get();
        if (refused != null) {
            tellTotals(stored.get() + known.get() > 0);
            return fail(refused);
        }
        tellTotals(stored.get() + known.get() > 1 || unread.get() > 0);
        return unread.get() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean isSingle() {
        return files.size() == 1 && !Files.isDirectory(files.getFirst());
    }

    private void putAll(FilePool pool, PutSources sources) throws IOException, InterruptedException {
        Semaphore writers = new Semaphore(WRITERS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            sources.forEach(source -> {
                writers.acquireUninterruptibly();
                if (refusal.get() == null) {
                    threads.execute(() -> {
                        try {
                            put(pool, source);
                        } finally {
                            writers.release();
                        }
                    });
                } else {
                    writers.release();
                }
                return refusal.get() == null;
            });
        }
    }

    private void put(FilePool pool, PutSources.Source source) {
        try {
            StoredFile file = source.path().equals(STANDARD_INPUT)
                    ? pool.files().write(tenant.id(), described(source), System.in)
                    : write(pool, source);
            (file.created() ? stored : known).incrementAndGet();
            bytes.addAndGet(file.created() ? file.size() : 0);
            print(source, file);
        } catch (IOException e) {
            leaveOut(new IOException(source.path() + ": " + Complaint.about(e).message(), e));
        } catch (InvalidNameException e) {
            if (isSingle()) {
                refusal.set(e);
            } else {
                leaveOut(new IOException(source.path() + ": " + e.getMessage(), e));
            }
        } catch (IdempotencyConflictException e) {
            if (resume) { // its time was put back
                leaveOut(
                        new IOException(source.path() + ": its bytes are others than those that were stored when it had"
                                + " this size and time of change; touch it, or put it without --resume", e));
            } else {
                refuse(source, e);
            }
        } catch (InterruptedException e) {
            refusal.compareAndSet(null, e);
        } catch (RuntimeException | Error e) {
            refuse(source, e);
        }
    }

    private void refuse(PutSources.Source source, Throwable e) {
        if (refusal.compareAndSet(null, e) && !isSingle()) {
            on.err().println("entrepot: stopped at " + source.path()
                    + "; what is printed is stored, the rest was not tried");
        }
    }

    private StoredFile write(FilePool pool, PutSources.Source source) throws IOException, InterruptedException {
        NewFile file = described(source);
        try (Transfer.Part part = transfer.begin(file.size().orElse(0))) {
            return pool.files().write(tenant.id(), file, source.path(), part::moved);
        }
    }

    private NewFile described(PutSources.Source source) throws IOException {
        NewFile file = NewFile.unnamed().in(source.directory()).withPriority(priority).withLabels(labels);
        if (!source.path().equals(STANDARD_INPUT)) {
            file = file.withName(String.valueOf(source.path().getFileName())).ofSize(Files.size(source.path()))
                    .from(source.path().toAbsolutePath().normalize().toString());
        }
        file = name == null ? file : file.withName(name);
        file = key == null ? file : file.withIdempotencyKey(key);
        file = resume ? file.withIdempotencyKey(PutKeys.of(source)) : file;
        return delay == null
                ? file
                : file.availableAt(Clock.systemUTC().instant().plus(Durations.parse(delay)));
    }

    private void print(PutSources.Source source, StoredFile file) {
        String text = file.key() + "  " + source.path() + (file.created() ? "" : "  (was there already)");
        JsonObject object = new JsonObject().with("tenant", file.tenant()).with("key", file.key())
                .with("source", source.path().toString()).with("size", file.size()).with("sha256", file.sha256())
                .with("new", file.created());
        synchronized (this) {
            on.answer(text, object);
        }
    }

    private void leaveOut(IOException e) {
        unread.incrementAndGet();
        synchronized (this) {
            Complaint.about(e).print(on.err());
        }
    }

    /** No failure: nobody wants it stored. */
    private void tellPool(Path directory) {
        synchronized (this) {
            on.err().println("left out: " + directory + " belongs to a pool");
        }
    }

    private void tellTotals(boolean worthIt) {
        if (worthIt && !on.json) {
            on.err().println(progress());
        }
    }

    private String progress() {
        return stored + (stored.get() == 1 ? " file, " : " files, ") + Sizes.of(bytes.get()) + " stored"
                + (known.get() == 0 ? "" : "; " + known + " there already")
                + (unread.get() == 0 ? "" : "; " + unread + " left out, see above");
    }

    private String underWay() {
        String now = transfer.text();
        return progress() + (now.isEmpty() ? "" : "; under way: " + now);
    }

    private static int fail(Throwable refused) throws InterruptedException {
        switch (refused) {
            case InterruptedException e -> throw e;
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(refused);
        }
    }
}
