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
public record PairLoad(int workers, int tenants, int batch, int items) {

    String text() {
        return workers + " workers, " + (tenants == 1 ? "1 tenant" : tenants + " tenants")
                + (batch == 1 ? "" : ", " + batch + " at once");
    }

    /** The same with no more items than that: for a queue so slow that all of them would take minutes. */
    public PairLoad atMost(int most) {
        return new PairLoad(workers, tenants, batch, Math.min(items, most));
    }

    /** Pairs of claim and finish per second. */
    public <C> double run(PairQueue<C> queue) throws Exception {
        return run(List.of(queue));
    }

    /** The same with a queue object, such as a connection, for each worker. If there are fewer, they are shared. */
    public <C> double run(List<? extends PairQueue<C>> queues) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        AtomicLong done = new AtomicLong();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> workersDone = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                int tenant = worker % tenants;
                PairQueue<C> queue = queues.get(worker % queues.size());
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
