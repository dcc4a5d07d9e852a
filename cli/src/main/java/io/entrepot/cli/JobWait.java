package io.entrepot.cli;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.Progress;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for jobs of the pool, showing how far they are, and off a terminal what they wait for; Ctrl-C stops the job, and so does a
 * timeout, and the process waits until what was done is told.
 * To be opened before the pool and closed after it. Safe for use by many threads: what they share is volatile.
 */
final class JobWait implements AutoCloseable {
    /** A job stops where that does no harm, and then the pool is closed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(200);
    /** How the progress of a job begins that cannot go on now. */
    private static final String WAITS = "waits for ";

    private final OnPool on;
    private final Ticker ticker = Ticker.system();
    private final LastWords lastWords = new LastWords(this::stop, PATIENCE);
    private volatile @Nullable JobHandle current;
    private volatile boolean stopped;
    private boolean timedOut;

    JobWait(OnPool on) {
        this.on = on;
    }

    /** To the end of the run, whatever it is. */
    RunReport forEnd(JobHandle handle) throws InterruptedException {
        return forEnd(handle, Optional.empty());
    }

    /** The same, but the run is stopped if it takes longer than that. */
    RunReport forEnd(JobHandle handle, Optional<Duration> longest) throws InterruptedException {
        current = handle;
        if (stopped) {
            handle.cancel();
        }
        long began = ticker.nanos();
        try (ProgressLine _ = ProgressLine.ofTerminal(() -> text(handle.report().progress()), on.err())) {
            Optional<RunReport> report = handle.await(LOOK);
            String said = "";
            while (report.isEmpty()) {
                if (!timedOut && longest.isPresent() && ticker.nanos() - began >= longest.get().toNanos()) {
                    timedOut = true;
                    handle.cancel();
                }
                said = sayWhy(handle.report().progress().text(), said);
                report = handle.await(LOOK);
            }
            return report.get();
        }
    }

    /** Where nobody sees the line that shows it: a line of its own whenever the reason is another. */
    private String sayWhy(String why, String said) {
        if (!why.startsWith(WAITS) || why.equals(said) || ProgressLine.isTerminal()) {
            return why.isEmpty() ? said : why;
        }
        on.say(why);
        return why;
    }

    /** The run was stopped as it took too long. */
    boolean isTimedOut() {
        return timedOut;
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
