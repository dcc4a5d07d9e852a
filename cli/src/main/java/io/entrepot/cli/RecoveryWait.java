package io.entrepot.cli;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.RecoveryProgress;
import io.entrepot.pool.RecoveryWatch;
import java.time.Duration;

/**
 * Shows how far a recovery is: on the line of a terminal, elsewhere in a line now and then. Ctrl-C ends it at the next file, and
 * the process waits until that is told. To be opened before what it watches and closed after it. Safe for use by many threads:
 * what they share is volatile.
 */
final class RecoveryWait implements RecoveryWatch, AutoCloseable {
    /** A file is at most read to its next megabyte, and then the pool is closed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** For people who read a log. */
    private static final Duration BETWEEN = Duration.ofSeconds(10);

    private final OnPool on;
    private final Ticker ticker;
    private final boolean terminal;
    private final LastWords lastWords = new LastWords(this::stop, PATIENCE);
    private final ProgressLine line;
    private volatile RecoveryProgress last = new RecoveryProgress("beginning", 0, 0, 0);
    private volatile boolean stopped;
    private long said;

    RecoveryWait(OnPool on) {
        this(on, Ticker.system(), ProgressLine.isTerminal());
    }

    RecoveryWait(OnPool on, Ticker ticker, boolean terminal) {
        this.on = on;
        this.ticker = ticker;
        this.terminal = terminal;
        this.said = ticker.nanos();
        this.line = terminal ? ProgressLine.ofTerminal(() -> text(last), on.err()) : ProgressLine.none();
    }

    @Override
    public void at(RecoveryProgress progress) throws InterruptedException {
        last = progress;
        if (stopped) {
            throw new InterruptedException("Ctrl-C");
        }
        if (!terminal && ticker.nanos() - said >= BETWEEN.toNanos()) {
            said = ticker.nanos();
            on.say(text(progress));
        }
    }

    void stop() {
        stopped = true;
    }

    /** Somebody has pressed Ctrl-C. */
    boolean isStopped() {
        return stopped;
    }

    private static String text(RecoveryProgress progress) {
        return progress.doing() + (progress.files() == 0 ? "" : ": " + progress.files() + " files looked at")
                + (progress.rebuilt() == 0
                        ? ""
                        : ", " + progress.rebuilt() + " rebuilt with " + Sizes.of(progress.bytes()));
    }

    /** What is to be known when it has ended before its time. */
    int told() {
        line.close();
        on.say("stopped before its end: what was rebuilt stays; run the same command again, and it goes on");
        return ExitCode.FAILED;
    }

    @Override
    public void close() {
        line.close();
        lastWords.close();
    }
}
