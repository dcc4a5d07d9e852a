package io.entrepot.bench.queue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Workers that claim and finish until nothing is left.
 *
 * @param batch how many items a worker claims, and then finishes, at once
 */
record JournalLoad(int workers, int tenants, int batch, int items) {

    String text() {
        return workers + " workers, " + (tenants == 1 ? "1 tenant" : tenants + " tenants")
                + (batch == 1 ? "" : ", " + batch + " at once");
    }

    double run(JournalLimit limit) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                int tenant = worker % tenants;
                counts.add(executor.submit(() -> {
                    start.await();
                    return work(limit, tenant);
                }));
            }
            long begin = System.nanoTime();
            start.countDown();
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return sum / ((System.nanoTime() - begin) / 1e9);
        }
    }

    private long work(JournalLimit limit, int tenant) throws IOException {
        long pairs = 0;
        for (List<JournalEntry> claimed = limit.claim(tenant, batch); !claimed.isEmpty(); claimed = limit.claim(tenant,
                batch)) {
            limit.finish(tenant, claimed);
            pairs += claimed.size();
        }
        return pairs;
    }
}
