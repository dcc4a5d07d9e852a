package io.entrepot.pool.job;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A task that stands still until it is let go, and stops when it is asked to. Thread-safe. */
final class Puppet implements Task {
    final List<JobRun> runs = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore letGo = new Semaphore(0);

    @Override
    public JobResult run(JobRun run) throws InterruptedException {
        runs.add(run);
        threads.add(Thread.currentThread());
        begun.release();
        while (!letGo.tryAcquire(1, TimeUnit.MILLISECONDS)) {
            run.checkpoint();
        }
        return new JobResult("run " + runs.size());
    }

    void awaitBegun() throws InterruptedException {
        begun.acquire();
    }

    /** The run of now, or the next one, goes on to its end. */
    void letGo() {
        letGo.release();
    }
}
