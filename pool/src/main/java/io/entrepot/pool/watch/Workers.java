package io.entrepot.pool.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Imports many sources at once, each on a virtual thread. Large ones as many as the rule says; small ones more, as they share
 * their syncs and the more there are at once, the fewer syncs there are. One who brings more waits. What one of them throws ends the
 * look, when the others have ended. Safe for use by many threads.
 */
final class Workers implements AutoCloseable {
    private static final int SMALL_ONES = 64;

    private final int most;
    private final int mostSmall;
    private final Imports imports;
    private final Runnable before;
    private final Semaphore large;
    private final Semaphore small;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** @param before runs before each source, and ends the look by throwing */
    Workers(int most, Imports imports, Runnable before) {
        this.most = most;
        this.mostSmall = Math.max(SMALL_ONES, most);
        this.imports = imports;
        this.before = before;
        this.large = new Semaphore(most);
        this.small = new Semaphore(mostSmall);
    }

    void bringIn(Imports.Job job) throws InterruptedException {
        run(imports.isSmall(job) ? small : large, () -> imports.bringIn(job));
    }

    void run(Runnable task) throws InterruptedException {
        run(small, task::run);
    }

    private void run(Semaphore limit, Step step) throws InterruptedException {
        requireNoFailure();
        before.run();
        limit.acquire();
        try {
            threads.execute(() -> {
                try {
                    step.run();
                } catch (Throwable e) { // whoever waits for all of them is told
                    failure.compareAndSet(null, e);
                } finally {
                    limit.release();
                }
            });
        } catch (RuntimeException e) {
            limit.release();
            throw e;
        }
    }

    /** Waits until all have ended. */
    void await() throws InterruptedException {
        large.acquire(most);
        large.release(most);
        small.acquire(mostSmall);
        small.release(mostSmall);
        requireNoFailure();
    }

    private void requireNoFailure() {
        switch (failure.get()) {
            case null -> {
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e -> throw new UncheckedIOException(e);
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
