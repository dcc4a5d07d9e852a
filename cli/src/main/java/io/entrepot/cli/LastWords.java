package io.entrepot.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * For a command that Ctrl-C ends and that has something to say then: a signal stops what it does, and the process waits a
 * little until it has spoken and closed this. Safe for use by many threads.
 */
final class LastWords implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CountDownLatch spoken = new CountDownLatch(1);
    private final Thread onSignal;

    /** @param stop makes the command come to its end */
    LastWords(Runnable stop) {
        this(stop, PATIENCE);
    }

    LastWords(Runnable stop, Duration patience) {
        this(stop, () -> patience);
    }

    /** @param patience how long the process waits at most, as it is when the signal comes */
    LastWords(Runnable stop, Supplier<Duration> patience) {
        onSignal = new Thread(() -> {
            stop.run();
            awaitSpoken(patience.get());
        }, "interrupted");
        Runtime.getRuntime().addShutdownHook(onSignal);
    }

    private void awaitSpoken(Duration patience) {
        try {
            boolean _ = spoken.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        spoken.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException e) {
            // The process is ending: it is this that waits.
        }
    }
}
