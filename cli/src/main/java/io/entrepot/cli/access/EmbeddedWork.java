package io.entrepot.cli.access;

import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Work of a pool in this process.
 *
 * @param whenStopped what else ends it: for a task that does not look whether somebody wants it to
 */
record EmbeddedWork<R>(JobHandle handle, Function<JobHandle, R> reader, Runnable whenStopped) implements LongWork<R> {

    static LongWork<RunReport> of(JobHandle handle) {
        return of(handle, () -> {});
    }

    static LongWork<RunReport> of(JobHandle handle, Runnable whenStopped) {
        return new EmbeddedWork<>(handle, JobHandle::report, whenStopped);
    }

    /** What the task keeps is what came of it. */
    static <R> LongWork<R> of(JobHandle handle, Class<R> kept) {
        return new EmbeddedWork<>(handle, ended -> ended.kept(kept).orElseThrow(() -> new PoolUnavailableException(
                ended.report().error().orElse("job " + ended.job() + " was stopped"))), () -> {});
    }

    static <R> LongWork<R> of(CleanupRun<R> run, Class<R> kept) {
        return of(run.job(), kept);
    }

    @Override
    public RunReport report() {
        return handle.report();
    }

    @Override
    public Optional<RunReport> await(Duration longest) throws InterruptedException {
        return handle.await(longest);
    }

    @Override
    public void stop() {
        handle.cancel();
        whenStopped.run();
    }

    @Override
    public R result() {
        return reader.apply(handle);
    }
}
