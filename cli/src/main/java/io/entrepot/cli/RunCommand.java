package io.entrepot.cli;

import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.Pool;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.watch.WatcherSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Keeps a pool open. */
@Command(name = "run", description = {"Keep the pool open: watchers import, drains and cleanup go on.",
        "Prints what the pool does by itself. Nobody processes files; 'entrepot work --wait' does both.",
        "Ends with Ctrl-C or SIGTERM, when what is under way is done. Beside a server it has nothing to do."})
final class RunCommand implements Callable<Integer> {
    private static final Clock CLOCK = Clock.systemUTC();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 200;
    private static final String SERVED = "a server does all that 'run' does as long as it runs; 'entrepot tail' shows it";
    private static final String WATCH = "watch ";
    private static final String WRITTEN = "file.written";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--for", paramLabel = "DURATION", description = "End after so long, as 30s, 5m.")
    @Nullable
    String howLong;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicLong imported = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public Integer call() throws InterruptedException {
        Duration end = howLong == null ? Duration.ofDays(36_500) : Durations.parse(howLong);
        Instant began = CLOCK.instant();
        CleanupStatistics cleaned;
        try (LastWords _ = new LastWords(stop::countDown, PATIENCE); Pool pool = on.openForLong(SERVED)) {
            try (Listening _ = pool.listen(EventFilter.all().of(WRITTEN, "import.*", "volume.*", "watcher.*", "pool.*",
                    "quota.warning", "upload.expired", "file.deleted", "file.damaged", "file.lost", "file.rebuilt",
                    "file.orphan-removed", "file.lease-expired"), this::print)) {
                pool.recoveries().stream().map(RecoveryReport::lines).forEach(lines -> lines.forEach(on::say));
                on.say("open: " + watching(pool.watchers().list()) + "; Ctrl-C ends it");
                waitFor(end);
                cleaned = pool.cleanup().statistics();
            }
            tell(Duration.between(began, CLOCK.instant()), cleaned);
        }
        return ExitCode.OK;
    }

    private void waitFor(Duration end) throws InterruptedException {
        long left = end.toMillis();
        while (left > 0 && !on.out().checkError()
                && !stop.await(Math.min(left, LOOK_MILLIS), TimeUnit.MILLISECONDS)) {
            left -= LOOK_MILLIS;
        }
    }

    private static String watching(List<WatcherSpec> watchers) {
        String enabled = watchers.stream().filter(WatcherSpec::enabled)
                .map(watcher -> watcher.id() + " (" + watcher.path() + ")").collect(Collectors.joining(", "));
        return enabled.isEmpty() ? "there is no watcher" : "watching " + enabled;
    }

    /** Others may write as well, in another process; that is their story. */
    private void print(PoolEvent event) {
        String source = event.text("source").filter(text -> text.startsWith(WATCH)).orElse("");
        boolean isImport = event.type().equals(WRITTEN);
        if (isImport && source.isEmpty()) {
            return;
        }
        if (isImport) {
            imported.incrementAndGet();
            bytes.addAndGet(event.number("size").orElse(0));
        }
        String text = Times.of(event.at()) + "  " + (isImport
                ? "imported  " + event.subject() + "  " + event.tenant().map(Object::toString).orElse("-") + "  "
                        + source.substring(WATCH.length())
                : event.type() + "  " + event.subject() + event.tenant().map(tenant -> "  of " + tenant).orElse("")
                        + (event.body().isEmpty() ? "" : "  " + body(event)));
        synchronized (this) {
            on.answer(text, new JsonObject().with("at", event.at()).with("type", isImport ? "imported" : event.type())
                    .with("tenant", event.tenant()).with("subject", event.subject())
                    .with("body", new TreeMap<>(event.body())));
            on.out().flush();
        }
    }

    private static String body(PoolEvent event) {
        return new TreeMap<>(event.body()).entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
    }

    private void tell(Duration took, CleanupStatistics cleaned) {
        if (on.json) {
            on.out().println(new CleanupText(cleaned).addTo(new JsonObject().with("type", "summary")
                    .with("imported", imported.get()).with("bytes", bytes.get())
                    .with("seconds", took.toMillis() / 1000.0)));
            on.out().flush();
        }
        on.say("ran for " + Times.of(took) + ": " + imported + (imported.get() == 1 ? " file, " : " files, ")
                + Sizes.of(bytes.get()) + " imported; cleaned: " + new CleanupText(cleaned).words());
    }
}
