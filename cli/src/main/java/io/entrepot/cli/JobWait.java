package io.entrepot.cli;

import io.entrepot.cli.access.LongWork;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.job.Progress;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Waits for jobs of the pool, showing how far they are, and off a terminal what they wait for; Ctrl-C stops the job, and so does a
 * timeout, and the process waits until what was done is told.
 * To be opened before the pool and closed after it. Safe for use by many threads: what they share is volatile.
 */
final class JobWait implements AutoCloseable {
    /** A job stops where that does no harm, and then the pool is closed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** An end is told at once; this is how old what is shown can be. */
    private static final Duration LOOK = Duration.ofMillis(500);
    /** How the progress of a job begins that cannot go on now. */
    private static final String WAITS = "waits for ";

    private static final Progress NOTHING_SAID = new Progress(0, OptionalLong.empty(), "");

    private final OnPool on;
    private final Ticker ticker = Ticker.system();
    private final LastWords lastWords = new LastWords(this::stop, PATIENCE);
    private volatile @Nullable LongWork<?> current;
    private volatile boolean stopped;
    private boolean timedOut;

    JobWait(OnPool on) {
        this.on = on;
    }

    /** To the end of the run, whatever it is. */
    RunReport forEnd(LongWork<?> work) throws InterruptedException {
        return forEnd(work, Optional.empty());
    }

    /** The same, but the run is stopped if it takes longer than that. */
    RunReport forEnd(LongWork<?> work, Optional<Duration> longest) throws InterruptedException {
        current = work;
        if (stopped) {
            work.stop();
        }
        long began = ticker.nanos();
        try (ProgressLine _ = ProgressLine.ofTerminal(() -> text(work.report().progress()), on.err())) {
            Optional<RunReport> report = work.await(look(began, longest));
            String said = "";
            while (report.isEmpty()) {
                if (!timedOut && longest.isPresent() && ticker.nanos() - began >= longest.get().toNanos()) {
                    timedOut = true;
                    work.stop();
                }
                said = sayWhy(work.report().progress().text(), said);
                report = work.await(look(began, longest));
            }
            return report.get();
        }
    }

    /** No longer than until the timeout. */
    private Duration look(long began, Optional<Duration> longest) {
        Duration left = longest.orElse(LOOK).minusNanos(longest.isPresent() ? ticker.nanos() - began : 0);
        return left.isPositive() && left.compareTo(LOOK) < 0 ? left : LOOK;
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
        LongWork<?> work = current;
        if (work != null) {
            try {
                work.stop();
            } catch (PoolException e) { // this thread has nobody to tell it to
                on.say("it was not stopped: " + e.getMessage());
            }
        }
    }

    private static String text(Progress progress) {
        return progress.equals(NOTHING_SAID)
                ? "working"
                : progress.done() + (progress.total().isPresent() ? " of " + progress.total().getAsLong() : "") + "  "
                        + progress.text();
    }

    @Override
    public void close() {
        lastWords.close();
    }
}
