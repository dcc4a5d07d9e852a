package io.entrepot.cli;

import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.Progress;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for jobs of the pool, showing how far they are; Ctrl-C stops the job, and the process waits until what was done is told.
 * To be opened before the pool and closed after it. Safe for use by many threads: what they share is volatile.
 */
final class JobWait implements AutoCloseable {
    /** A job stops where that does no harm, and then the pool is closed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final OnPool on;
    private final LastWords lastWords = new LastWords(this::stop, PATIENCE);
    private volatile @Nullable JobHandle current;
    private volatile boolean stopped;

    JobWait(OnPool on) {
        this.on = on;
    }

    /** To the end of the run, whatever it is. */
    RunReport forEnd(JobHandle handle) throws InterruptedException {
        current = handle;
        if (stopped) {
            handle.cancel();
        }
        try (ProgressLine _ = ProgressLine.ofTerminal(() -> text(handle.report().progress()), on.err())) {
            Optional<RunReport> report = Optional.empty();
            while (report.isEmpty()) {
                report = handle.await(LOOK);
            }
            return report.get();
        }
    }

    /** Somebody has pressed Ctrl-C. */
    boolean isStopped() {
        return stopped;
    }

    private void stop() {
        stopped = true;
        JobHandle handle = current;
        if (handle != null) {
            handle.cancel();
        }
    }

    private static String text(Progress progress) {
        return progress.done() + (progress.total().isPresent() ? " of " + progress.total().getAsLong() : "") + "  "
                + progress.text();
    }

    @Override
    public void close() {
        lastWords.close();
    }
}
