package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.EventType;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Imports what lies in a watched directory. A file is complete only if it was seen unchanged for a while, and a process that has just
 * started has seen nothing; so this looks again and again, as long as files become complete, and gives up on those that do
 * not. Safe for use by many threads: what they share is atomic.
 */
final class WatcherScan {
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration TELLING = Duration.ofSeconds(10);

    private final PoolAccess pool;
    private final WatcherId id;
    private final OnPool on;
    private final CountDownLatch stop;
    private final Ticker ticker = Ticker.system();
    private final AtomicLong told = new AtomicLong();

    /** @param stop somebody has seen enough */
    WatcherScan(PoolAccess pool, WatcherId id, OnPool on, CountDownLatch stop) {
        this.pool = pool;
        this.id = id;
        this.on = on;
        this.stop = stop;
    }

    /**
     * Says whether all went well: nothing failed, nothing was unreadable.
     *
     * @param patience for files that are not complete; if nothing is said, as long as they must have been seen unchanged
     */
    boolean run(Optional<Duration> patience) throws InterruptedException {
        WatcherStatus before = pool.watchers().status(id);
        Duration minAge = before.spec().minFileAge();
        WatcherStatus now;
        try (Listening _ = pool.pool().listen(EventFilter.all().of(EventType.FILE_WRITTEN), this::print);
                ProgressLine _ = ProgressLine.ofTerminal(this::progress, on.err())) {
            now = look(minAge, patience.orElse(minAge.plus(MARGIN)), before.importedFiles());
            awaitTold(now.importedFiles() - before.importedFiles());
        }
        return summary(before, now);
    }

    private WatcherStatus look(Duration minAge, Duration patience, long before) throws InterruptedException {
        long lastNews = ticker.nanos();
        long imported = before;
        boolean said = false;
        while (true) {
            long began = ticker.nanos();
            scan();
            WatcherStatus now = pool.watchers().status(id);
            if (now.importedFiles() > imported) {
                lastNews = ticker.nanos();
                imported = now.importedFiles();
            }
            Duration left = patience.minusNanos(began - lastNews);
            if (unfinished(now) == 0 || !left.isPositive() || stop.getCount() == 0) {
                return now;
            }
            if (!said) {
                on.say("files must be seen unchanged for " + Times.of(minAge)
                        + now.spec().marker().map(marker -> ", beside one with " + marker + " at its end").orElse("")
                        + ": waiting for " + unfinished(now));
                said = true;
            }
            Duration pause = minAge.plus(SHORTEST).compareTo(left) < 0 ? minAge.plus(SHORTEST) : left;
            boolean _ = stop.await(Math.max(pause.toMillis(), 1), TimeUnit.MILLISECONDS);
        }
    }

    private void scan() throws InterruptedException {
        try {
            pool.watchers().scan(id);
        } catch (ScanFailedException e) {
            if (stop.getCount() > 0) {
                throw e;
            }
        }
    }

    private static long unfinished(WatcherStatus status) {
        return count(status, SkipReason.NOT_YET) + count(status, SkipReason.CHANGED);
    }

    private static long count(WatcherStatus status, SkipReason reason) {
        return status.skipped().getOrDefault(reason, 0L);
    }

    private void print(PoolEvent event) {
        String from = "watch " + id + ": ";
        Optional<String> source = event.text("source").filter(text -> text.startsWith(from))
                .map(text -> text.substring(from.length()));
        if (source.isPresent()) {
            synchronized (this) {
                on.answer(event.subject() + "  " + source.get(), new JsonObject().with("tenant", event.tenant())
                        .with("key", event.subject()).with("source", source).with("size", event.number("size")));
                on.out().flush();
            }
            told.incrementAndGet();
        }
    }

    /** What is imported is durable; only its telling comes a little later. */
    private void awaitTold(long imported) throws InterruptedException {
        long began = ticker.nanos();
        while (told.get() < imported && ticker.nanos() - began < TELLING.toNanos()) {
            Thread.sleep(SHORTEST);
        }
    }

    private String progress() {
        return id + ": " + told + " imported";
    }

    private boolean summary(WatcherStatus before, WatcherStatus now) {
        long files = now.importedFiles() - before.importedFiles();
        long bytes = now.importedBytes() - before.importedBytes();
        if (on.json) {
            on.out().println(new WatcherText(now).json().with("files", files).with("bytes", bytes));
        }
        on.say(id + ": " + files + (files == 1 ? " file, " : " files, ") + Sizes.of(bytes) + " imported"
                + new WatcherText(now).skippedText().map(text -> "; left: " + text).orElse(""));
        now.problems().forEach(problem -> on.say("  " + problem.path() + ": " + problem.what()));
        return now.failed() == 0 && now.parked() == 0 && count(now, SkipReason.UNREADABLE) == 0
                && count(now, SkipReason.STORAGE_WAITS) == 0 && count(now, SkipReason.QUOTA_WAITS) == 0
                && count(now, SkipReason.UNLISTED) == 0;
    }
}
