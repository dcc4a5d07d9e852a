package io.entrepot.bench.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers that claim and finish until so many items are done or nothing is left.
 *
 * @param batch how many items a worker claims, and then finishes, at once
 */
record PairLoad(int workers, int tenants, int batch, int items) {

    String text() {
        return workers + " workers, " + (tenants == 1 ? "1 tenant" : tenants + " tenants")
                + (batch == 1 ? "" : ", " + batch + " at once");
    }

    /** Pairs of claim and finish per second. */
    <C> double run(PairQueue<C> queue) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        AtomicLong done = new AtomicLong();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> workersDone = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                int tenant = worker % tenants;
                workersDone.add(executor.submit(() -> {
                    start.await();
                    work(queue, tenant, done);
                    return null;
                }));
            }
            long begin = System.nanoTime();
            start.countDown();
            for (Future<?> worker : workersDone) {
                worker.get();
            }
            return done.get() / ((System.nanoTime() - begin) / 1e9);
        }
    }

    private <C> void work(PairQueue<C> queue, int tenant, AtomicLong done) throws Exception {
        while (done.get() < items) {
            List<C> claimed = queue.claim(tenant, batch);
            if (claimed.isEmpty()) {
                return;
            }
            queue.finish(tenant, claimed);
            done.addAndGet(claimed.size());
        }
    }
}
