package io.entrepot.pool.watch;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.Parts;
import io.entrepot.pool.job.JobCancelledException;
import io.entrepot.pool.job.JobException;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.job.Task;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.MountPools;
import io.entrepot.posix.Name;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.StableFiles;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watcher as long as the pool is open: a job that looks at its directory. It looks at everything at each interval, and in
 * between at files that may have become complete, or are to be tried again. What is notified only makes it look sooner.
 *
 * <p>Safe for use by many threads. Its job never runs twice at a time, so what only runs touch needs no lock; the rest is
 * volatile or safe by itself.
 */
final class Watch implements AutoCloseable {
    /** A parameter of a run: look at everything, whatever is due. */
    static final String EVERYTHING = "everything";
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final WatcherId id;
    private final Parts parts;
    private final FileDesk desk;
    private final MountPools mounts;
    private final Scanner scanner;
    private final RuleBook rules;
    private final Fences fences;
    private final Ticker ticker;
    private final Problems problems;
    private final FailureBook failures;
    private final Set<BytePath> reportedTenants = ConcurrentHashMap.newKeySet();
    private final Agenda agenda = new Agenda(this::schedule);
    private final AtomicBoolean everythingWanted = new AtomicBoolean();
    private volatile Rule rule;
    private volatile StableFiles stable;
    private volatile @Nullable Ear ear;
    private volatile long nextEverything;
    private volatile Last last = new Last(Optional.empty(), Map.of(), Optional.empty());

    /** The last look at everything. */
    private record Last(Optional<Instant> at, Map<SkipReason, Long> skipped, Optional<String> error) {}

    Watch(Parts parts, FileDesk desk, MountPools mounts, Scanner scanner, RuleBook rules, Fences fences, Rule rule) {
        this.id = rule.spec().id();
        this.parts = parts;
        this.desk = desk;
        this.mounts = mounts;
        this.scanner = scanner;
        this.rules = rules;
        this.fences = fences;
        this.ticker = parts.config().platform().store().ticker();
        this.problems = new Problems(parts.config().platform().store().wall());
        this.failures = new FailureBook(parts.stores().main(), id, rule.number(), FailureBook.MOST);
        this.rule = rule;
        this.stable = new StableFiles(Sieve.rule(rule.spec()));
        this.nextEverything = ticker.nanos();
        failures.load();
    }

    WatcherSpec spec() {
        return rule.spec();
    }

    FailureBook failures() {
        return failures;
    }

    /** Becomes one of the pool's jobs; the first look is at once. */
    void register() {
        parts.jobs().register(id.job(), Schedule.every(spec().pollingInterval(), Duration.ZERO),
                Task.withDryRun(this::look, this::preview));
        if (!spec().enabled()) {
            parts.jobs().pause(id.job());
        }
    }

    /** From the next look on; the new interval begins now. */
    void change(Rule now) {
        Rule before = rule;
        rule = now;
        if (!Sieve.rule(before.spec()).equals(Sieve.rule(now.spec()))
                || !before.spec().path().equals(now.spec().path())) {
            stable = new StableFiles(Sieve.rule(now.spec()));
        }
        if (!before.spec().path().equals(now.spec().path())) {
            failures.forgetAll();
            deafen();
        }
        nextEverything = ticker.nanos() + now.spec().pollingInterval().toNanos();
        parts.jobs().reschedule(id.job(), Schedule.every(now.spec().pollingInterval()));
        if (now.spec().enabled()) {
            parts.jobs().resume(id.job());
            everythingWanted.set(true);
            agenda.hurry(SHORTEST);
        } else {
            parts.jobs().pause(id.job());
            deafen();
        }
    }

    int retry(Optional<BytePath> only) {
        int changed = failures.retry(only);
        if (changed > 0) {
            agenda.hurry(SHORTEST);
        }
        return changed;
    }

    private JobResult look(JobRun run) throws Exception {
        agenda.begin();
        Optional<Rule> now = rules.find(id);
        if (now.isEmpty()) {
            return new JobResult("was removed");
        }
        if (!now.get().equals(rule)) {
            change(now.get()); // by another process
        }
        Tally tally = new Tally(problems);
        boolean everything = isEverythingDue(run);
        if (everything) {
            nextEverything = ticker.nanos() + spec().pollingInterval().toNanos();
        }
        try {
            look(run, tally, everything);
            if (everything) {
                last = new Last(Optional.of(parts.config().platform().store().wall().instant()), tally.skipped(),
                        Optional.empty());
            }
            return new JobResult(tally.text());
        } catch (JobCancelledException e) {
            throw e;
        } catch (Exception e) {
            last = new Last(last.at, last.skipped, Optional.of(String.valueOf(e.getMessage())));
            throw e;
        } finally {
            run.progress(tally.count(), "imported");
            agenda.plan(this::untilNext);
        }
    }

    /**
     * What a look at everything would import, by what earlier looks have seen. What this one sees is remembered too, as of any
     * file that is looked at: nothing else is changed, nor is it planned anew when to look next.
     */
    private JobResult preview(JobRun run) throws Exception {
        Optional<Rule> now = rules.find(id);
        if (now.isEmpty()) {
            return new JobResult("was removed");
        }
        WatcherSpec spec = now.get().spec();
        SourceTree tree = tree(spec);
        fences.requireApartFromVolumes(spec, tree.root());
        boolean known = spec.path().equals(spec().path()) && Sieve.rule(spec).equals(Sieve.rule(spec()));
        Tally tally = new Tally(new Problems(parts.config().platform().store().wall()));
        return new Preview(new Site(parts, desk, now.get(), tree, known ? stable : new StableFiles(Sieve.rule(spec)),
                failures, tally), run).look(scanner);
    }

    private SourceTree tree(WatcherSpec spec) throws IOException, InterruptedException {
        PoolConfig config = parts.config();
        return SourceTree.open(config.platform().calls(), mounts, config.patience(), config.platform().faults(), spec);
    }

    private boolean isEverythingDue(JobRun run) {
        failures.load();
        boolean wanted = everythingWanted.getAndSet(false);
        long storeNow = parts.stores().main().read(snapshot -> snapshot.now());
        boolean nothingDue = stable.due(clock(), 1).isEmpty() && failures.due(storeNow).isEmpty();
        // If nothing is due, somebody has asked for it by hand.
        return wanted || nothingDue || run.parameters().containsKey(EVERYTHING)
                || ticker.nanos() - nextEverything >= 0;
    }

    private void look(JobRun run, Tally tally, boolean everything) throws Exception {
        WatcherSpec spec = spec();
        SourceTree tree = tree(spec);
        fences.requireApartFromVolumes(spec, tree.root());
        if (everything && spec.enabled()) {
            listen(tree, spec);
        }
        Site site = new Site(parts, desk, rule, tree, stable, failures, tally);
        try (Round round = new Round(site, run, scanner, reportedTenants)) {
            if (everything) {
                round.finish();
                round.lookAtEverything();
            } else {
                round.lookAtDue();
            }
        }
    }

    private void listen(SourceTree tree, WatcherSpec spec) throws InterruptedException {
        Ear now = ear;
        if (now == null || now.isBroken() || !now.isFor(tree, spec)) {
            deafen();
            PoolConfig.Platform platform = parts.config().platform();
            Name probe = PrivateName.probe(platform.store().nonces().next());
            Hearing hearing = new Hearing(tree.root(), spec, stable, () -> agenda.wake(within(spec().minFileAge())),
                    () -> {
                        everythingWanted.set(true);
                        agenda.hurry(within(SOON));
                    });
            ear = Ear.open(platform.calls(), platform.clock(), tree, spec, probe, hearing::hear);
        }
    }

    private void deafen() {
        Ear before = ear;
        ear = null;
        if (before != null) {
            before.close();
        }
    }

    /** After that time, or earlier if everything is to be looked at by then. */
    private Duration within(Duration time) {
        return Duration.ofNanos(Math.min(time.toNanos(), nextEverything - ticker.nanos()));
    }

    /** When to look next: at everything, at what may be complete then, or at what is to be tried again. */
    private Duration untilNext() {
        long wait = nextEverything - ticker.nanos();
        var due = stable.nextDue();
        if (due.isPresent()) {
            wait = Math.min(wait, due.getAsLong() - clock());
        }
        var retry = failures.nextDue();
        if (retry.isPresent()) {
            long now = parts.stores().main().read(snapshot -> snapshot.now());
            wait = Math.min(wait, TimeUnit.MILLISECONDS.toNanos(retry.getAsLong() - now));
        }
        wait = Math.max(wait, pause().toNanos());
        if (everythingWanted.get()) {
            wait = Math.min(wait, SOON.toNanos());
        }
        return Duration.ofNanos(wait);
    }

    /** What is due and cannot be had now, as a marker that has not come or storage that fails, is not asked for all the time. */
    private Duration pause() {
        Duration age = spec().minFileAge();
        Duration shortest = age.isPositive() && age.compareTo(PAUSE) < 0 ? age : PAUSE;
        return shortest.compareTo(spec().pollingInterval()) < 0 ? shortest : spec().pollingInterval();
    }

    private void schedule(Duration after) {
        try {
            parts.jobs().reschedule(id.job(), Schedule.every(spec().pollingInterval(),
                    after.compareTo(SHORTEST) < 0 ? SHORTEST : after));
        } catch (JobException e) {
            // It was removed, or all is being closed.
        }
    }

    private long clock() {
        return parts.config().platform().clock().nanos();
    }

    WatcherStatus status() {
        JobStatus job = parts.jobs().get(id.job());
        long files = 0;
        long bytes = 0;
        for (Store store : Site.everyStore(parts)) {
            try {
                files += store.read(snapshot -> snapshot.count(ImportBook.files(rule.number())));
                bytes += store.read(snapshot -> snapshot.count(ImportBook.bytes(rule.number())));
            } catch (StoreException e) {
                if (store.equals(parts.stores().main())) {
                    throw e;
                }
            }
        }
        Ear listens = ear;
        Last then = last;
        return new WatcherStatus(spec(), job.state() == JobState.RUNNING, then.at, job.next(), files, bytes,
                then.skipped, failures.retrying(), failures.parked().size(), problems.all(),
                listens == null ? "not tried yet" : listens.words(), then.error);
    }

    @Override
    public void close() {
        deafen();
    }
}
