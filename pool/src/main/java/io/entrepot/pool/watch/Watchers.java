package io.entrepot.pool.watch;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.Parts;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.job.Triggered;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.MountPools;
import io.entrepot.scan.Scanner;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Directories whose files are imported by themselves, each exactly once, whatever crashes between. Watchers are durable; each is
 * a job {@code watch-ID} of the pool as well. How it is done: <a href="../../../../../../../../docs/decisions/pool-imports.md">import</a>.
 *
 * <p>Safe for use by many threads: changes one at a time, everything else on a map for many.
 */
public final class Watchers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TIDY_EVERY = Duration.ofHours(1);
    private static final int FORGOTTEN_AT_ONCE = 1000;
    private static final Duration FOUND_EVERY = Duration.ofSeconds(30);

    private final Parts parts;
    private final FileDesk desk;
    private final MountPools mounts;
    private final Scanner scanner;
    private final RuleBook rules;
    private final Fences fences;
    private final Map<WatcherId, Watch> watches = new ConcurrentHashMap<>();
    private volatile Runnable onChange = () -> {};

    private Watchers(Parts parts, MountPools mounts) {
        this.parts = parts;
        this.desk = new FileDesk(parts);
        this.mounts = mounts;
        this.scanner = new Scanner(parts.config().platform().calls(), parts.config().platform().clock());
        this.rules = new RuleBook(parts.stores().main());
        this.fences = new Fences(parts, mounts);
    }

    /** For the pool. */
    public static Watchers open(Parts parts, MountPools mounts) {
        Watchers watchers = new Watchers(parts, mounts);
        watchers.rules.all().forEach(watchers::start);
        parts.jobs().register(new JobName("forget-watchers"), Schedule.every(TIDY_EVERY),
                watchers::forgetRemoved);
        if (parts.stores().main().shared()) {
            parts.jobs().register(new JobName("find-watchers"), Schedule.every(FOUND_EVERY),
                    _ -> new JobResult(watchers.follow() + " watchers came or went"));
        }
        return watchers;
    }

    /** For the pool: from now on this is called after every change. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** What other processes have added and removed. Says how many. */
    private synchronized int follow() {
        List<Rule> rulesNow = rules.all();
        List<Rule> added = rulesNow.stream().filter(rule -> !watches.containsKey(rule.spec().id())).toList();
        added.forEach(this::start);
        List<WatcherId> removed = watches.keySet().stream()
                .filter(id -> rulesNow.stream().noneMatch(rule -> rule.spec().id().equals(id))).toList();
        for (WatcherId id : removed) {
            parts.jobs().remove(id.job());
            Watch watch = watches.remove(id);
            if (watch != null) {
                watch.close();
            }
        }
        return added.size() + removed.size();
    }

    /**
     * From now on, and after every restart. The first look is at once.
     *
     * @throws InvalidSettingException if there is one of that name, or its directory lies within another one's, a volume or the
     *                                 pool's own, or these within it
     */
    public WatcherSpec add(WatcherSpec spec) throws InterruptedException {
        return Errors.told(() -> adding(spec));
    }

    private synchronized WatcherSpec adding(WatcherSpec spec) throws InterruptedException {
        List<Rule> others = rules.all();
        if (others.stream().anyMatch(other -> other.spec().id().equals(spec.id()))) {
            throw new InvalidSettingException("there is a watcher " + spec.id() + " already");
        }
        Rule rule = rules.add(fences.checked(spec, others));
        onChange.run();
        start(rule);
        return rule.spec();
    }

    /** For configuration, which only seeds: adds it if there is none of that name, and says whether it did. */
    public boolean seed(WatcherSpec spec) throws InterruptedException {
        if (find(spec.id()).isPresent()) {
            return false;
        }
        add(spec);
        return true;
    }

    public Optional<WatcherSpec> find(WatcherId id) {
        return Errors.told(() -> rules.find(id).map(Rule::spec));
    }

    /** @throws WatcherNotFoundException if there is none */
    public WatcherSpec get(WatcherId id) {
        return find(id).orElseThrow(() -> Errors.told(() -> rules.unknown(id)));
    }

    /** By name. */
    public List<WatcherSpec> list() {
        return Errors.told(() -> rules.all().stream().map(Rule::spec).toList());
    }

    /** Changes one while it runs: from its next look on, which is soon. With another path it begins anew. */
    public WatcherSpec update(WatcherSpec spec) throws InterruptedException {
        return Errors.told(() -> updating(spec));
    }

    private synchronized WatcherSpec updating(WatcherSpec spec) throws InterruptedException {
        Watch watch = watch(spec.id());
        List<Rule> others = rules.all().stream().filter(rule -> !rule.spec().id().equals(spec.id())).toList();
        Rule rule = rules.update(fences.checked(spec, others));
        onChange.run();
        watch.change(rule);
        return rule.spec();
    }

    public WatcherSpec enable(WatcherId id) throws InterruptedException {
        return update(get(id).withEnabled(true));
    }

    /** It looks at nothing by itself any more; {@link #scanNow} still works. What it is importing just now is finished. */
    public WatcherSpec disable(WatcherId id) throws InterruptedException {
        return update(get(id).withEnabled(false));
    }

    /**
     * Ends it. Its directory stays as it is. What it has imported and kept is known for another day: added again within that
     * time, it does not import it again.
     */
    public void remove(WatcherId id) throws InterruptedException {
        Errors.told(() -> {
            removing(id);
            return true;
        });
    }

    private synchronized void removing(WatcherId id) throws InterruptedException {
        Watch watch = watch(id);
        Optional<JobHandle> run = parts.jobs().remove(id.job());
        if (run.isPresent()) {
            run.get().await(PATIENCE);
        }
        watch.close();
        watch.failures().forgetAll();
        rules.remove(id);
        onChange.run();
        watches.remove(id);
    }

    /**
     * Looks at everything now and waits until what is complete is imported. Says how many files that were. A file that was not
     * seen unchanged for long enough is left to a later look.
     *
     * @throws ScanFailedException if the directory cannot be looked at
     */
    public long scanNow(WatcherId id) throws InterruptedException {
        while (true) {
            Triggered triggered = startScan(id);
            Optional<RunReport> report;
            do {
                report = triggered.handle().await(PATIENCE);
            } while (report.isEmpty());
            if (triggered.started()) {
                return count(id, report.get());
            }
        }
    }

    /**
     * The same without waiting. If it looks already nothing is started, and the handle is that of the look under way, which may
     * have passed by what has come since.
     */
    public Triggered startScan(WatcherId id) {
        Errors.told(() -> watch(id));
        return parts.jobs().trigger(id.job(), new JobRequest(false, Map.of(Watch.EVERYTHING, "")));
    }

    private static long count(WatcherId id, RunReport report) {
        if (report.state() == JobState.DONE) {
            return report.progress().done();
        }
        throw new ScanFailedException(id.name(), report.error().orElse("it was stopped"));
    }

    public WatcherStatus status(WatcherId id) {
        return Errors.told(() -> watch(id).status());
    }

    /** What all of them could not import, at whichever process. */
    public Map<WatcherId, ImportBacklog> backlog() {
        return Errors.told(() -> rules.backlog());
    }

    /** What has failed too often, by path. */
    public List<ParkedImport> parked(WatcherId id) {
        return Errors.told(() -> {
            FailureBook failures = watch(id).failures();
            failures.load();
            return failures.parked().stream().map(Failure::parked).toList();
        });
    }

    /**
     * Tries a parked one again, at the next look.
     *
     * @param path as in {@link ParkedImport#path}
     */
    public boolean retry(WatcherId id, String path) {
        return Errors.told(() -> watch(id).retry(Optional.of(BytePath.parse(path)))) > 0;
    }

    /** Tries all parked ones again, and says how many they are. */
    public int retryAll(WatcherId id) {
        return Errors.told(() -> watch(id).retry(Optional.empty()));
    }

    private Watch watch(WatcherId id) {
        Watch watch = watches.get(id);
        if (watch == null && parts.stores().main().shared()) {
            follow();
            watch = watches.get(id);
        }
        if (watch == null) {
            throw rules.unknown(id);
        }
        return watch;
    }

    private void start(Rule rule) {
        Watch watch = new Watch(parts, desk, mounts, scanner, rules, fences, rule);
        watches.put(rule.spec().id(), watch);
        watch.register();
    }

    /** What watchers have imported that were removed long ago. */
    private JobResult forgetRemoved(JobRun run) {
        long before = parts.stores().main().read(snapshot -> snapshot.now()) - Endings.MEMORY.toMillis();
        List<Long> removed = rules.removedBefore(before);
        for (long number : removed) {
            if (rules.abandon(number)) {
                for (Store store : Site.everyStore(parts)) {
                    while (store.write(Owner.SYSTEM, tx -> ImportBook.forgetSome(tx, number, FORGOTTEN_AT_ONCE)) > 0) {
                        run.checkpoint();
                    }
                }
                rules.forget(number);
            }
        }
        return new JobResult(removed.size() + " watchers were forgotten");
    }

    @Override
    public void close() {
        watches.values().forEach(Watch::close);
    }
}
