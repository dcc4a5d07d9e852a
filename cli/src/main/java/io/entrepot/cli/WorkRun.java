package io.entrepot.cli;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFiles;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.WorkQueue;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Claims files and runs a command for each, with a few threads at a time; each has one file, and renews its lease while the
 * command runs.
 *
 * <p>A lease that is lost ends the command, as somebody else may have the file by then: a renewal was refused, or none has
 * succeeded for a whole term. When all is to stop, nothing more is claimed, commands that run may come to their end, and what
 * does not in time is ended and its file given back. A command that cannot be run at all, or says that something else is
 * missing (exit code 75), is not the fault of the file: it is given back, and no other one is taken, or after a pause. If its
 * volume cannot be read, before or after a command that failed, it is put off, and others are taken.
 *
 * <p>Safe for use by many threads.
 */
final class WorkRun {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final String UNREACHABLE = "pool.unavailable.unreachable";
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration OWN_SIGNAL = Duration.ofSeconds(1);

    private final WorkQueue queue;
    private final PoolFiles files;
    private final WorkSettings settings;
    private final WorkLog log;
    private final Ticker ticker = Ticker.system();
    private final CountDownLatch stop = new CountDownLatch(1);
    /** Somebody wants us gone: by {@code stopAt} on the ticker, commands are ended. */
    private volatile boolean hurried;
    private volatile long stopAt;
    private volatile boolean notNow;
    /** The server could not be reached when it was last asked. */
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    WorkRun(FilePool pool, WorkSettings settings, WorkLog log) {
        this.queue = pool.work();
        this.files = pool.files();
        this.settings = settings;
        this.log = log;
    }

    /** Works with so many threads until there is nothing to do, or {@link #stop} was called. */
    void run(int workers) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= workers; i++) {
            String worker = workers == 1 ? settings.worker() : settings.worker() + "-" + i;
            threads.add(Thread.ofPlatform().name(worker).start(() -> guarded(worker)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Nothing is claimed any more; what runs may end, for a while. */
    void stop() {
        stopAt = ticker.nanos() + settings.grace().toNanos();
        hurried = true;
        stop.countDown();
    }

    boolean isStopping() {
        return stop.getCount() == 0;
    }

    /** It ended because a command said that it cannot work now. */
    boolean endedNotNow() {
        return notNow;
    }

    /** What went wrong with the pool or with all commands, if something did. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    private void guarded(String worker) {
        try {
            work(worker);
        } catch (InterruptedException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            stop.countDown();
        }
    }

    private void work(String worker) throws InterruptedException {
        Duration pause = SHORTEST_PAUSE;
        for (Optional<ClaimedFile> next = claim(worker); next.isPresent(); next = claim(worker)) {
            boolean given = process(next.get(), worker);
            if (settings.once()) {
                return;
            }
            if (!given) {
                pause = SHORTEST_PAUSE;
            } else if (settings.idle().isPresent()) {
                stop.countDown();
                return;
            } else {
                boolean _ = stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** In short waits and without an interrupt: one could be too late, and the file would be nobody's for a term. */
    private Optional<ClaimedFile> claim(String worker) throws InterruptedException {
        long began = ticker.nanos();
        ClaimOrder order = ClaimOrder.of(settings.tenant(), worker).withTerm(settings.term());
        while (!isStopping()) {
            long waited = ticker.nanos() - began;
            Duration left = settings.idle().map(idle -> idle.minusNanos(waited)).orElse(LOOK);
            boolean last = !left.isPositive();
            List<ClaimedFile> claimed = claim(order.waiting(last ? Duration.ZERO : min(left, LOOK)));
            if (!claimed.isEmpty()) {
                return Optional.of(claimed.getFirst());
            }
            if (last) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Whoever waits for files waits for a server as well. */
    private List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException {
        try {
            List<ClaimedFile> claimed = queue.claim(order);
            if (away.getAndSet(false)) {
                log.say("the server is there again");
            }
            return claimed;
        } catch (PoolException e) {
            if (!isAway(e) || settings.idle().isPresent()) {
                throw e;
            }
            if (!away.getAndSet(true)) {
                log.say("waiting for the server: " + Complaint.text(e));
            }
            boolean _ = stop.await(SHORTEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            return List.of();
        }
    }

    /** It is the server, or the way to it, and may be over soon. */
    private static boolean isAway(PoolException e) {
        return e.code().equals(UNREACHABLE) || (e instanceof RequestRefusedException && e.advice() == Advice.RETRY)
                || (e instanceof UnknownOutcomeException && e.getCause() instanceof IOException);
    }

    /** Says whether the file was given back. */
    private boolean process(ClaimedFile claimed, String worker) throws InterruptedException {
        long began = ticker.nanos();
        log.started(claimed, worker);
        WorkVerdict verdict;
        try {
            verdict = isStopping() ? new WorkVerdict.GiveBack("stopped") : excused(claimed, tried(claimed, began));
        } catch (IOException e) {
            tell(claimed, new WorkVerdict.GiveBack(Complaint.text(e)), began);
            throw new Failure("work.cannot-run", "the command cannot be run: " + Complaint.text(e), ExitCode.USAGE);
        }
        tell(claimed, verdict, began);
        return verdict instanceof WorkVerdict.GiveBack;
    }

    private WorkVerdict tried(ClaimedFile claimed, long began) throws IOException, InterruptedException {
        Holding holding = new Holding(claimed, began);
        Optional<WorkInput> input;
        try (FileContent content = files.open(claimed.lease().tenant(), claimed.key())) {
            input = WorkInput.of(content, claimed.file(), () -> holding.mustEnd().isEmpty());
        } catch (StorageVolumeUnavailableException e) {
            return new WorkVerdict.PutOff(Complaint.text(e));
        } catch (DamagedFileException e) {
            return new WorkVerdict.Fail(Complaint.text(e), true);
        } catch (FileNotFoundException e) {
            return new WorkVerdict.Lost(); // somebody has removed it since
        } catch (IOException e) {
            return new WorkVerdict.PutOff("its bytes cannot be had: " + Complaint.text(e));
        } catch (PoolException e) {
            if (!isAway(e)) {
                throw e;
            }
            return new WorkVerdict.PutOff("its bytes cannot be had: " + Complaint.text(e));
        }
        if (input.isEmpty()) {
            return WorkVerdict.of(holding.why(), 0, hurried, List.of());
        }
        try (WorkInput file = input.get()) {
            return runCommand(claimed, file.path(), holding);
        }
    }

    /** A failure is the storage's if that does not work now: nobody can have read the file. */
    private WorkVerdict excused(ClaimedFile claimed, WorkVerdict verdict) throws InterruptedException {
        if (!(verdict instanceof WorkVerdict.Fail fail)) {
            return verdict;
        }
        try {
            return files.outage(claimed.lease().tenant(), claimed.key())
                    .<WorkVerdict>map(why -> new WorkVerdict.PutOff(why + " (" + fail.error() + ")")).orElse(fail);
        } catch (PoolException e) {
            return fail; // whatever that is, it is no excuse
        }
    }

    private WorkVerdict runCommand(ClaimedFile claimed, Path path, Holding holding)
            throws IOException, InterruptedException {
        CommandRun run = CommandRun.start(settings.command(), claimed, path, log::commandOutput, log::commandError);
        Optional<WorkVerdict.Cause> ended = Optional.empty();
        while (ended.isEmpty() && !run.await(min(LOOK, settings.renewEvery()))) {
            ended = holding.mustEnd();
        }
        WorkVerdict.Cause cause = ended.orElse(WorkVerdict.Cause.BY_ITSELF);
        if (cause != WorkVerdict.Cause.BY_ITSELF) {
            run.end();
        }
        int exit = run.exit();
        if (WorkVerdict.isTermination(exit)) {
            // Terminals and service managers signal all processes at once: ours may still be on its way.
            boolean _ = stop.await(OWN_SIGNAL.toMillis(), TimeUnit.MILLISECONDS);
        }
        WorkVerdict verdict = WorkVerdict.of(cause, exit, hurried, run.lastErrors());
        if (cause == WorkVerdict.Cause.BY_ITSELF && exit == WorkVerdict.TEMPORARY) {
            notNow = true;
        }
        return verdict;
    }

    /** A file that is held: its lease is renewed as often as somebody asks whether to go on. For one thread. */
    private final class Holding {
        private final ClaimedFile claimed;
        private final long began;
        private long renewed;
        private long tried;
        private WorkVerdict.Cause why = WorkVerdict.Cause.BY_ITSELF;

        Holding(ClaimedFile claimed, long began) {
            this.claimed = claimed;
            this.began = began;
            this.renewed = began;
            this.tried = began;
        }

        /** Why what is done with it has to end now. */
        Optional<WorkVerdict.Cause> mustEnd() {
            why = look();
            return why == WorkVerdict.Cause.BY_ITSELF ? Optional.empty() : Optional.of(why);
        }

        WorkVerdict.Cause why() {
            return why;
        }

        private WorkVerdict.Cause look() {
            long now = ticker.nanos();
            if (settings.timeout().isPresent() && now - began >= settings.timeout().get().toNanos()) {
                return WorkVerdict.Cause.TIMEOUT;
            }
            if (hurried && now - stopAt >= 0) {
                return WorkVerdict.Cause.STOPPED;
            }
            if (now - tried < settings.renewEvery().toNanos()) {
                return WorkVerdict.Cause.BY_ITSELF;
            }
            tried = now;
            return switch (renew(claimed)) {
                case DONE -> {
                    renewed = now;
                    yield WorkVerdict.Cause.BY_ITSELF;
                }
                case REFUSED -> WorkVerdict.Cause.LEASE_LOST;
                case UNSURE -> ticker.nanos() - renewed >= settings.term().toNanos()
                        ? WorkVerdict.Cause.LEASE_LOST
                        : WorkVerdict.Cause.BY_ITSELF;
            };
        }
    }

    /** What came of a renewal; unsure ones may be tried again. */
    private enum Renewal {
        DONE, REFUSED, UNSURE
    }

    private Renewal renew(ClaimedFile claimed) {
        try {
            queue.renew(claimed.lease());
            return Renewal.DONE;
        } catch (PoolException e) {
            return e.advice() == Advice.GIVE_UP ? Renewal.REFUSED : Renewal.UNSURE;
        }
    }

    /**
     * Tells the pool, for as long as the lease lasts if that is away: the same ending told twice is told once. After that somebody
     * else may have the file, and who waits for files goes on with others.
     */
    private void tell(ClaimedFile claimed, WorkVerdict verdict, long began) throws InterruptedException {
        long first = ticker.nanos();
        while (true) {
            try {
                tellOnce(claimed, verdict, began);
                return;
            } catch (PoolException e) {
                long now = ticker.nanos();
                if (!isAway(e) || (hurried && now - stopAt >= 0)) {
                    throw e;
                }
                if (now - first >= settings.term().toNanos()) {
                    if (settings.idle().isPresent()) {
                        throw e;
                    }
                    log.lost(claimed, Duration.ofNanos(now - began));
                    return;
                }
                if (!away.getAndSet(true)) {
                    log.say("waiting for the server: " + Complaint.text(e));
                }
                TimeUnit.NANOSECONDS.sleep(min(SHORTEST_PAUSE, settings.renewEvery()).toNanos());
            }
        }
    }

    /** Tells the pool, and then everybody. */
    private void tellOnce(ClaimedFile claimed, WorkVerdict verdict, long began) {
        Duration took = Duration.ofNanos(ticker.nanos() - began);
        try {
            switch (verdict) {
                case WorkVerdict.Complete() -> {
                    FileOutcome outcome = settings.keep()
                            ? queue.completeAndKeep(claimed.lease())
                            : queue.complete(claimed.lease());
                    log.ended(claimed, outcome.kind(), Optional.empty(), took);
                }
                case WorkVerdict.Fail(String error, boolean forGood) -> {
                    FileOutcome outcome = forGood
                            ? queue.failForGood(claimed.lease(), error)
                            : queue.fail(claimed.lease(), error);
                    log.ended(claimed, outcome.kind(), Optional.of(error), took);
                }
                case WorkVerdict.GiveBack(String why) ->
                    log.ended(claimed, queue.release(claimed.lease()).kind(), Optional.of(why), took);
                case WorkVerdict.PutOff(String why) ->
                    log.ended(claimed, queue.putOff(claimed.lease(), why).kind(), Optional.of(why), took);
                case WorkVerdict.Lost() -> log.lost(claimed, took);
            }
        } catch (FileLeaseLostException e) {
            log.lost(claimed, took);
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
