package io.entrepot.pool.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run, for the task that does it. Safe for use by many threads: a task may share it with those who work for it. What
 * changes is volatile, and the end is written once, by {@link Jobs}.
 */
public final class JobRun {
    private final JobName job;
    private final JobRequest request;
    private final Instant started;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Progress progress = Progress.NONE;
    private volatile boolean cancelled;
    private volatile @Nullable Object kept;
    private volatile @Nullable End end;

    /** How it ended. */
    record End(JobState state, Instant at, Optional<String> result, Optional<String> error) {}

    JobRun(JobName job, JobRequest request, Instant started) {
        this.job = job;
        this.request = request;
        this.started = started;
    }

    public JobName job() {
        return job;
    }

    public boolean isDryRun() {
        return request.dryRun();
    }

    public Map<String, String> parameters() {
        return request.parameters();
    }

    public void progress(long done, long total, String text) {
        progress = new Progress(done, OptionalLong.of(total), text);
    }

    /** Nobody knows how much there is to do. */
    public void progress(long done, String text) {
        progress = new Progress(done, OptionalLong.empty(), text);
    }

    /** What came of it, for whoever started it and knows what that is; people read the {@link JobResult}. */
    public void keep(Object result) {
        kept = result;
    }

    <T> Optional<T> kept(Class<T> type) {
        return Optional.ofNullable(kept).filter(type::isInstance).map(type::cast);
    }

    /** Whether somebody wants it to stop. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** @throws JobCancelledException if somebody wants it to stop */
    public void checkpoint() {
        if (cancelled) {
            throw new JobCancelledException(job);
        }
    }

    void cancel() {
        cancelled = true;
    }

    void end(End how) {
        end = how;
    }

    /** Those who wait go on. */
    void release() {
        over.countDown();
    }

    boolean await(Duration longest) throws InterruptedException {
        return over.await(TimeUnit.NANOSECONDS.convert(longest), TimeUnit.NANOSECONDS);
    }

    RunReport report() {
        End how = end;
        return how == null
                ? new RunReport(JobState.RUNNING, request, started, Optional.empty(), progress, cancelled,
                        Optional.empty(), Optional.empty())
                : new RunReport(how.state(), request, started, Optional.of(how.at()), progress, cancelled,
                        how.result(), how.error());
    }
}
