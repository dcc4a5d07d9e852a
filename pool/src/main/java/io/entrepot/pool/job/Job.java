package io.entrepot.pool.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job and how it is. Not thread-safe: {@link Jobs} keeps it under its lock. */
final class Job {
    final JobName name;
    final Task task;
    final boolean oneOff;
    private Schedule schedule = Schedule.byHand();
    private boolean paused;
    /** On the ticker; means something only if the schedule is one of intervals. */
    private long due;
    private @Nullable JobRun run;
    private Optional<String> lastResult = Optional.empty();
    private Optional<String> lastError = Optional.empty();
    private Optional<JobState> outcome = Optional.empty();
    /** Since its run began. */
    private boolean rescheduled;
    private long runs;
    private long failures;

    Job(JobName name, Task task, boolean oneOff) {
        this.name = name;
        this.task = task;
        this.oneOff = oneOff;
    }

    void schedule(Schedule next, long now) {
        schedule = next;
        rescheduled = true;
        if (next instanceof Schedule.Every(Duration first, _)) {
            due = now + first.toNanos();
        }
    }

    void pause() {
        paused = true;
    }

    void resume(long now) {
        if (paused) {
            paused = false;
            takeDue(now);
        }
    }

    /**
     * Whether a run is due now. If so, the next one is in the future: what was missed is left out. But a time that a run was given for
     * the next one is not missed because it comes before the end of that run.
     */
    boolean takeDue(long now) {
        if (!(schedule instanceof Schedule.Every(_, Duration interval)) || paused || now - due < 0
                || waitsForItsRun()) {
            return false;
        }
        long nanos = interval.toNanos();
        due += ((now - due) / nanos + 1) * nanos;
        return true;
    }

    /** Whether the next run comes after the one of now, however late that is. */
    boolean waitsForItsRun() {
        return rescheduled && running().isPresent();
    }

    /** How long until it runs by itself; nothing if it does not. */
    Optional<Duration> untilDue(long now) {
        return schedule instanceof Schedule.Every && !paused
                ? Optional.of(Duration.ofNanos(Math.max(0, due - now)))
                : Optional.empty();
    }

    /** The run of now. */
    Optional<JobRun> running() {
        return Optional.ofNullable(run).filter(it -> it.report().state() == JobState.RUNNING);
    }

    void begin(JobRun begun) {
        run = begun;
        rescheduled = false;
        runs++;
    }

    void ended(JobRun ended, JobRun.End end) {
        if (!ended.isDryRun()) {
            outcome = Optional.of(end.state());
        }
        switch (end.state()) {
            case DONE -> lastResult = end.result();
            case FAILED -> {
                failures++;
                lastError = end.error();
            }
            default -> {
            }
        }
    }

    /** Nobody would miss it but for its status. */
    boolean isForgettable() {
        return oneOff && schedule instanceof Schedule.ByHand && running().isEmpty();
    }

    JobStatus status(long now, Instant wall, boolean closed) {
        Optional<RunReport> report = Optional.ofNullable(run).map(JobRun::report);
        Optional<Duration> until = closed ? Optional.empty() : untilDue(now);
        JobState state = report.map(RunReport::state).orElse(until.isPresent() ? JobState.WAITING : JobState.IDLE);
        return new JobStatus(name, state, schedule, paused, report, outcome, lastResult, lastError, runs, failures,
                until.map(wall::plus));
    }
}
