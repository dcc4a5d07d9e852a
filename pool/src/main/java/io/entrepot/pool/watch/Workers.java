package io.entrepot.pool.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Imports many sources at once on virtual threads: large ones each by itself, as many as the rule says; small ones in batches,
 * which share what takes time. One who brings more waits. What one of them throws ends the look, when the others have ended. Safe
 * for use by many threads.
 */
final class Workers implements AutoCloseable {
    /** So many batches at once: while some of them share a sync, the others are read, placed and taken away. */
    private static final int BATCHES = 8;
    private static final int BATCH = 256;
    private static final long BATCH_BYTES = 2 << 20;

    private final int most;
    private final Imports imports;
    private final Runnable before;
    private final Semaphore large;
    private final Semaphore small = new Semaphore(BATCHES);
    private final Object batching = new Object();
    private List<Imports.Job> batch = new ArrayList<>();
    private long batchBytes;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** @param before runs before each source, and ends the look by throwing */
    Workers(int most, Imports imports, Runnable before) {
        this.most = most;
        this.imports = imports;
        this.before = before;
        this.large = new Semaphore(most);
    }

    void bringIn(Imports.Job job) throws InterruptedException {
        if (!imports.isSmall(job)) {
            run(large, () -> imports.bringIn(job));
            return;
        }
        List<Imports.Job> full;
        synchronized (batching) {
            batch.add(job);
            batchBytes += job.entry().size();
            full = batch.size() < BATCH && batchBytes < BATCH_BYTES ? List.of() : takeBatch();
        }
        bringIn(full);
    }

    /** With the lock. */
    private List<Imports.Job> takeBatch() {
        List<Imports.Job> taken = batch;
        batch = new ArrayList<>();
        batchBytes = 0;
        return taken;
    }

    private void bringIn(List<Imports.Job> jobs) throws InterruptedException {
        if (!jobs.isEmpty()) {
            run(small, () -> imports.bringIn(jobs));
        }
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
        List<Imports.Job> rest;
        synchronized (batching) {
            rest = takeBatch();
        }
        bringIn(rest);
        large.acquire(most);
        large.release(most);
        small.acquire(BATCHES);
        small.release(BATCHES);
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
