package io.entrepot.chaos.queue;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDisk;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sixty-four workers on many items, with renewals, leases that run out, workers who come back too late, failures and
 * retries, half of them steady ones, while the wall clock jumps by hours. In the end every item is finished, kept or given up, and the history has
 * no contradiction.
 */
final class CrowdRound {
    private static final int WORKERS = 64;
    private static final Duration TERM = Duration.ofMillis(60);

    private final ChaosRun run;
    private final int items;

    CrowdRound(ChaosRun run, int items) {
        this.run = run;
        this.items = items;
    }

    void run() throws Exception {
        run.progress().say(WORKERS + " workers on " + items + " items, with a jumping clock");
        History history = new History();
        JumpingClock clock = new JumpingClock();
        StoreConfig config = Site.CONFIG.withClocks(clock, Site.CONFIG.ticker());
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts().sized(1L << 30))) {
            Site site = new Site(disk.root().resolve("data"));
            AtomicBoolean over = new AtomicBoolean();
            try (DataDirectory data = DataDirectory.open(site.directory(), config);
                    Queues queues = Queues.open(data, config, QueueConfig.DEFAULT.withMaxDeliveries(1_000))) {
                Thread setter = Thread.ofPlatform().start(() -> jump(clock, run.random(3), over));
                try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<Future<?>> ends = new ArrayList<>();
                    for (int i = 0; i < WORKERS; i++) {
                        Workload workload = new Workload("w" + i, queues, history.recorder("w" + i),
                                run.random(100 + i),
                                Site.LANES, TERM, () -> LockSupport.parkNanos(TERM.toNanos()));
                        boolean steady = i % 2 == 0;
                        ends.add(workers.submit(() -> work(workload, queues, steady)));
                    }
                    for (Future<?> end : ends) {
                        end.get();
                    }
                } finally {
                    over.set(true);
                    setter.join();
                }
                long open = Site.LANES.stream().map(lane -> counts(queues, lane))
                        .mapToLong(counts -> counts.ready() + counts.held() + counts.delayed()).sum();
                run.check(open == 0, () -> open + " items were left undone by the crowd");
            }
            site.inspect(history, run, "the crowd");
        }
        run.round();
    }

    private void work(Workload workload, Queues queues, boolean steady) {
        for (int number = 0; number < items / WORKERS; number++) {
            workload.put(number);
            if (steady) {
                workload.workSteadily();
            } else {
                workload.work();
            }
        }
        while (Site.LANES.stream().map(lane -> counts(queues, lane))
                .anyMatch(counts -> counts.ready() + counts.held() + counts.delayed() > 0)) {
            if (!workload.work()) {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }
    }

    private static QueueCounts counts(Queues queues, QueueName lane) {
        return queues.status(lane).orElseThrow().counts();
    }

    private static void jump(JumpingClock clock, Random random, AtomicBoolean over) {
        while (!over.get()) {
            clock.set(Duration.ofMinutes(random.nextInt(12 * 60) - 6 * 60));
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
