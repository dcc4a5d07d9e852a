package io.entrepot.pool.job;

import io.entrepot.lease.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs in the background, for all to see: jobs that run by a schedule, and long ones that somebody starts once.
 *
 * <p>Each run has a virtual thread; another one waits for what is due next. A job never runs twice at a time, and a run that
 * fails stops neither its schedule nor other jobs. A run that is cancelled is asked to stop, and does at its next
 * {@link JobRun#checkpoint}: it is not interrupted, since that would break off whatever call it is in. Only {@link #close}
 * interrupts, and only those that have not stopped in time.
 *
 * <p>Safe for use by many threads: everything is under one lock, which is not held while tasks run.
 */
public final class Jobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    /** The ticker may go on while the machine sleeps, and a thread's own sleep does not. */
    private static final long LONGEST_SLEEP_NANOS = 1_000_000_000L;
    /** One-off jobs that have ended and can still be seen. */
    private static final int REMEMBERED = 100;

    private final Ticker ticker;
    private final InstantSource wall;
    private final Duration patience;
    private final Optional<Thread> clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Something was scheduled, a run has ended, or all is to be closed. */
    private final Condition changed = lock.newCondition();
    private final Map<JobName, Job> jobs = new TreeMap<>();
    /** One-off jobs in the order in which they ended. */
    private final Set<JobName> ended = new LinkedHashSet<>();
    private final Map<JobRun, Thread> running = new LinkedHashMap<>();
    private boolean closed;

    private Jobs(Ticker ticker, InstantSource wall, Duration patience, boolean background) {
        this.ticker = ticker;
        this.wall = wall;
        this.patience = patience;
        this.clock = background
                ? Optional.of(Thread.ofVirtual().name("jobs").unstarted(this::runClock))
                : Optional.empty();
    }

    /**
     * @param ticker   what intervals are counted on
     * @param wall     what people read
     * @param patience how long closing waits for runs to stop by themselves, and then again after interrupting them. Too
     *                 small: runs are broken off that were about to stop; too large: closing takes long if one hangs
     */
    public static Jobs open(Ticker ticker, InstantSource wall, Duration patience) {
        Jobs jobs = new Jobs(ticker, wall, patience, true);
        jobs.clock.ifPresent(Thread::start);
        return jobs;
    }

    /** Nothing runs by itself: {@link #tick} starts what is due. For tests and simulations. */
    public static Jobs manual(Ticker ticker, InstantSource wall, Duration patience) {
        return new Jobs(ticker, wall, patience, false);
    }

    /** @throws JobExistsException if there is one of that name */
    public void register(JobName name, Schedule schedule, Task task) {
        locked(() -> {
            requireOpen(name);
            if (jobs.containsKey(name)) {
                throw new JobExistsException(name);
            }
            Job job = new Job(name, task, false);
            jobs.put(name, job);
            job.schedule(schedule, ticker.nanos());
            changed.signalAll();
        });
    }

    /**
     * Starts a job that is there for one run. It can be seen, and triggered again, after that, until many others have ended.
     * If one of that name runs, nothing is started; if one has ended, this one takes its place.
     *
     * @throws JobExistsException if one of that name was registered
     * @throws NoDryRunException  if a dry run is asked for, and it has none
     */
    public Triggered start(JobName name, Task task, JobRequest request) {
        return locked(() -> {
            requireOpen(name);
            requireDryRun(name, task, request);
            Job known = jobs.get(name);
            if (known != null && !known.oneOff) {
                throw new JobExistsException(name);
            }
            if (known != null && known.running().isPresent()) {
                return new Triggered(false, new JobHandle(name, known.running().get()));
            }
            Job job = new Job(name, task, true);
            jobs.put(name, job);
            return new Triggered(true, begin(job, request));
        });
    }

    public Triggered start(JobName name, Task task) {
        return start(name, task, JobRequest.PLAIN);
    }

    /**
     * Runs it now, unless it runs already; its schedule stays as it is.
     *
     * @throws NoDryRunException if a dry run is asked for, and it has none
     */
    public Triggered trigger(JobName name, JobRequest request) {
        return locked(() -> {
            requireOpen(name);
            Job job = job(name);
            requireDryRun(name, job.task, request);
            Optional<JobRun> now = job.running();
            return now.isPresent()
                    ? new Triggered(false, new JobHandle(name, now.get()))
                    : new Triggered(true, begin(job, request));
        });
    }

    public Triggered trigger(JobName name) {
        return trigger(name, JobRequest.PLAIN);
    }

    /** Asks the run of now to stop, and does not wait for it. Says whether there was one. */
    public boolean cancel(JobName name) {
        return locked(() -> {
            Optional<JobRun> now = job(name).running();
            now.ifPresent(JobRun::cancel);
            return now.isPresent();
        });
    }

    /** From now on it runs by hand only. The run of now goes on. */
    public void pause(JobName name) {
        locked(() -> job(name).pause());
    }

    /** It runs by its schedule again, at the times at which it would have run anyway. */
    public void resume(JobName name) {
        locked(() -> {
            job(name).resume(ticker.nanos());
            changed.signalAll();
        });
    }

    /** The new schedule begins now. The run of now goes on; a paused job stays paused. */
    public void reschedule(JobName name, Schedule schedule) {
        locked(() -> {
            job(name).schedule(schedule, ticker.nanos());
            changed.signalAll();
        });
    }

    /** Forgets a job. A run of now is asked to stop; its handle is the answer. */
    public Optional<JobHandle> remove(JobName name) {
        return locked(() -> {
            Optional<JobRun> now = job(name).running();
            now.ifPresent(JobRun::cancel);
            jobs.remove(name);
            ended.remove(name);
            return now.map(run -> new JobHandle(name, run));
        });
    }

    /** By name. */
    public List<JobStatus> list() {
        return locked(() -> jobs.values().stream().map(this::status).toList());
    }

    /** @throws NoSuchJobException if there is none, or it was a one-off and is forgotten */
    public JobStatus get(JobName name) {
        return locked(() -> status(job(name)));
    }

    /** Starts what is due. Returns at once; the runs go on. */
    public void tick() {
        locked(this::startDue);
    }

    private void startDue() {
        if (closed) {
            return;
        }
        long now = ticker.nanos();
        for (Job job : jobs.values()) {
            if (job.takeDue(now) && job.running().isEmpty()) {
                begin(job, JobRequest.PLAIN);
            }
        }
    }

    private void runClock() {
        lock.lock();
        try {
            while (!closed) {
                changed.awaitNanos(startDueAndLookAhead());
            }
        } catch (InterruptedException e) {
            LOG.warn("the clock of the jobs was interrupted: nothing runs by itself any more");
        } finally {
            lock.unlock();
        }
    }

    /** How long to sleep then. Whatever fails: without this nothing would ever run by itself again. */
    private long startDueAndLookAhead() {
        try {
            startDue();
            return untilNextDue();
        } catch (RuntimeException | Error e) {
            LOG.warn("jobs that are due could not be started now, and are later: {}", e.toString(), e);
            return LONGEST_SLEEP_NANOS;
        }
    }

    private long untilNextDue() {
        long now = ticker.nanos();
        return jobs.values().stream().filter(job -> !job.waitsForItsRun()).flatMap(job -> job.untilDue(now).stream())
                .mapToLong(Duration::toNanos)
                .reduce(LONGEST_SLEEP_NANOS, Math::min);
    }

    private JobHandle begin(Job job, JobRequest request) {
        JobRun run = new JobRun(job.name, request, wall.instant());
        // Cannot end before all is written down, as that needs the lock; and if it cannot start, nothing is.
        Thread thread = Thread.ofVirtual().name("job-" + job.name).start(() -> carryOut(job, run));
        job.begin(run);
        ended.remove(job.name);
        running.put(run, thread);
        return new JobHandle(job.name, run);
    }

    private void carryOut(Job job, JobRun run) {
        JobRun.End end = outcome(job, run);
        locked(() -> {
            run.end(end);
            job.ended(run, end);
            running.remove(run);
            forgetOld(job);
            changed.signalAll();
        });
        run.release();
    }

    private JobRun.End outcome(Job job, JobRun run) {
        try {
            Task task = run.isDryRun() ? job.task.dryRun().orElseThrow() : job.task;
            JobResult result = task.run(run);
            return new JobRun.End(JobState.DONE, wall.instant(), Optional.of(result.text()), Optional.empty());
        } catch (JobCancelledException e) {
            return cancelled();
        } catch (Throwable e) { // whatever it is, others go on and somebody must be told
            if (run.isCancelled() && e instanceof InterruptedException) {
                return cancelled();
            }
            LOG.warn("job {} failed: {}", job.name, e.toString(), e);
            String message = e.getMessage();
            String error = message == null || message.isBlank() ? e.toString() : message;
            return new JobRun.End(JobState.FAILED, wall.instant(), Optional.empty(), Optional.of(error));
        }
    }

    private JobRun.End cancelled() {
        return new JobRun.End(JobState.CANCELLED, wall.instant(), Optional.empty(), Optional.empty());
    }

    private void forgetOld(Job job) {
        if (job.oneOff) {
            ended.add(job.name);
        }
        List<JobName> oldest = new ArrayList<>(ended).subList(0, Math.max(0, ended.size() - REMEMBERED));
        for (JobName name : oldest) {
            ended.remove(name);
            Job old = jobs.get(name);
            if (old != null && old.isForgettable()) {
                jobs.remove(name);
            }
        }
    }

    /** Cancels what runs and waits for it, for a limited time; nothing is started after that. May be called again. */
    @Override
    public void close() {
        List<Thread> threads = locked(() -> {
            closed = true;
            changed.signalAll();
            running.keySet().forEach(JobRun::cancel);
            return new ArrayList<>(running.values());
        });
        try {
            if (!awaitNoneRunning()) {
                locked(() -> running.values().forEach(Thread::interrupt));
                awaitNoneRunning();
            }
            clock.ifPresent(threads::add);
            for (Thread thread : threads) {
                thread.join(patience);
            }
        } catch (InterruptedException e) {
            locked(() -> running.values().forEach(Thread::interrupt));
            Thread.currentThread().interrupt();
        }
        locked(() -> running.keySet().forEach(run -> LOG.warn("job {} did not stop, and is left behind", run.job())));
    }

    private boolean awaitNoneRunning() throws InterruptedException {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (!running.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private JobStatus status(Job job) {
        return job.status(ticker.nanos(), wall.instant(), closed);
    }

    private Job job(JobName name) {
        Job job = jobs.get(name);
        if (job == null) {
            throw new NoSuchJobException(name, jobs.keySet());
        }
        return job;
    }

    private static void requireDryRun(JobName name, Task task, JobRequest request) {
        if (request.dryRun() && task.dryRun().isEmpty()) {
            throw new NoDryRunException(name);
        }
    }

    private void requireOpen(JobName name) {
        if (closed) {
            throw new JobsClosedException(name);
        }
    }

    private interface Step<T> {
        T take();
    }

    private <T> T locked(Step<T> step) {
        lock.lock();
        try {
            return step.take();
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
    }
}
