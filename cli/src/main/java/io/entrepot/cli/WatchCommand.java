package io.entrepot.cli;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Notification;
import io.entrepot.scan.DirectoryTimes;
import io.entrepot.scan.Fact;
import io.entrepot.scan.HotWatchSet;
import io.entrepot.scan.HotWatches;
import io.entrepot.scan.Listing;
import io.entrepot.scan.NotificationProbe;
import io.entrepot.scan.NotificationVerdict;
import io.entrepot.scan.Polling;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.Visit;
import io.entrepot.scan.WatchReport;
import io.entrepot.scan.Watcher;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what happens in a directory while it happens. */
@Command(name = "watch",
        description = {"Print what changes in a directory and below, as it changes; nothing is written there.",
                "Paths are relative and escaped. Ends with Ctrl-C."})
final class WatchCommand implements Callable<Integer> {
    private static final Clock CLOCK = Clock.system(ZoneId.systemDefault());
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(2);
    private static final int POLLED = 100_000;
    private static final long LOOK_MILLIS = 200;
    private static final long TEND_MILLIS = 60_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The directory.")
    @SuppressWarnings("NullAway.Init") // required
    Path directory;

    @Option(names = "--json", description = "One JSON object for each fact.")
    boolean json;

    @Option(names = "--limit", paramLabel = "N",
            description = "Watch at most N directories: those where something happened last.")
    @Nullable
    Integer limit;

    @Option(names = "--poll", paramLabel = "INTERVAL",
            description = "List everything again and again instead, so long after the last time, as 500ms, 10s.")
    @Nullable
    String poll;

    @Option(names = "--for", paramLabel = "DURATION", description = "End after so long, as 30s, 5m.")
    @Nullable
    String howLong;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicLong facts = new AtomicLong();
    private final AtomicLong rescans = new AtomicLong();
    private final AtomicLong unreadable = new AtomicLong();
    private volatile boolean begun;

    /** What delivers the facts. */
    private record Source(AutoCloseable closing, String words, Supplier<Optional<Throwable>> failure,
            Tending tending) {}

    /** What is to be done now and then. */
    private interface Tending {
        void tend() throws IOException, InterruptedException;
    }

    @Override
    public Integer call() throws Exception {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be 1 or more, not " + limit);
        }
        Duration interval = poll == null ? DEFAULT_INTERVAL : Durations.parse(poll);
        Duration end = howLong == null ? Duration.ofDays(36_500) : Durations.parse(howLong);
        BytePath root = new GivenDirectory(directory).real();
        FileCalls calls = FileCalls.system();
        BootClock clock = BootClock.system();
        NotificationVerdict verdict = new NotificationProbe(calls, clock).judge(root);
        say(verdict.words());

        Instant began = CLOCK.instant();
        Thread caller = Thread.currentThread();
        try (LastWords _ = new LastWords(() -> stop(caller))) {
            FactLine line = new FactLine(root, CLOCK.getZone());
            Source source = poll != null || !verdict.isUseful()
                    ? polling(calls, clock, root, interval, line)
                    : watching(calls, clock, root, line);
            try (AutoCloseable _ = source.closing) {
                say(source.words + (unreadable.get() == 0 ? "" : "; " + unreadable + " could not be read, see above"));
                wait(source, end);
            }
            say(facts + " facts in " + Duration.between(began, CLOCK.instant()).toSeconds() + " s"
                    + (rescans.get() == 0 ? "" : ", " + rescans + " of them to look again"));
        } catch (InterruptedException e) {
            say("ended before everything was watched");
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    /** Ctrl-C: by then it may still be listing a large tree. */
    private void stop(Thread caller) {
        stop.countDown();
        if (!begun) {
            caller.interrupt();
        }
    }

    private void wait(Source source, Duration end) throws IOException, InterruptedException {
        long left = end.toMillis();
        long untended = 0;
        while (left > 0 && !stop.await(Math.min(left, LOOK_MILLIS), TimeUnit.MILLISECONDS)) {
            left -= LOOK_MILLIS;
            untended += LOOK_MILLIS;
            if (untended >= TEND_MILLIS) {
                untended = 0;
                source.tending.tend();
            }
            Optional<Throwable> failure = source.failure.get();
            if (failure.isPresent()) {
                throw new Failure("watch.failed", "watching ended: " + Complaint.text(failure.get()));
            }
        }
    }

    private Source polling(FileCalls calls, BootClock clock, BytePath root, Duration interval, FactLine line)
            throws IOException, InterruptedException {
        Polling polling = Polling.open(calls, clock, root,
                new Polling.Settings(interval, limit == null ? POLLED : limit), fact -> print(fact, line));
        polling.poll();
        begun = true;
        return new Source(polling, "polling " + polling.directories() + " directories, " + interval.toMillis()
                + " ms after each round", polling::failure, () -> {});
    }

    private Source watching(FileCalls calls, BootClock clock, BytePath root, FactLine line)
            throws IOException, InterruptedException {
        Notification.Limits limits = calls.notification().orElseThrow().limits();
        int most = HotWatchSet.affordable(limit == null ? Integer.MAX_VALUE : limit, limits.watches());
        if (limit == null) {
            Watcher watcher = Watcher.open(calls, clock, root, Watcher.Settings.ofWholeTree().withLimit(most),
                    fact -> print(fact, line));
            watcher.flush();
            begun = true;
            Watcher.Status status = watcher.status();
            int all = status.refused() == 0 ? status.watched() : directories(calls, clock, root).size();
            return new Source(watcher, new WatchReport(all, status.watched(), status.limit(), limits.watches(),
                    status.kernelRefused()).toString(), () -> watcher.status().failure(), () -> {});
        }
        HotWatches hot = HotWatches.open(calls, clock, CLOCK, root, Watcher.Settings.ofNamed().withLimit(most),
                HotWatchSet.Settings.DEFAULT, fact -> print(fact, line));
        WatchReport report = hot.adapt(directories(calls, clock, root));
        hot.watcher().flush();
        hot.watcher().watched();
        begun = true;
        return new Source(hot, report.toString(), () -> hot.watcher().status().failure(),
                () -> hot.adapt(directories(calls, clock, root)));
    }

    /** Those that can be read; others cannot be watched either. */
    private static Collection<DirectoryTimes> directories(FileCalls calls, BootClock clock, BytePath root)
            throws IOException, InterruptedException {
        Collection<DirectoryTimes> found = new ConcurrentLinkedQueue<>();
        new Scanner(calls, clock).scan(ScanRequest.of(root).withDirectoriesOnly(true), visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                found.add(DirectoryTimes.of(listing));
            }
        });
        return found;
    }

    /** What was there before is not news, nor what is not watched, which is said in one line; what cannot be read is. */
    private void print(Fact fact, FactLine line) {
        boolean isUnreadable = fact instanceof Fact.Rescan(BytePath _, Fact.Reason reason)
                && reason == Fact.Reason.UNREADABLE;
        if (!begun && (fact instanceof Fact.Listed || (fact instanceof Fact.Rescan && !isUnreadable))) {
            return;
        }
        facts.incrementAndGet();
        if (isUnreadable) {
            unreadable.incrementAndGet();
        }
        if (fact instanceof Fact.Rescan) {
            rescans.incrementAndGet();
        }
        Instant now = CLOCK.instant();
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? line.json(fact, now) : line.text(fact, now));
        if (out.checkError()) {
            stop.countDown(); // nobody reads it any more
        }
    }

    private void say(String text) {
        spec.commandLine().getErr().println(text);
        spec.commandLine().getErr().flush();
    }
}
