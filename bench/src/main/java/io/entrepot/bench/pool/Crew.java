package io.entrepot.bench.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do something so many times together. */
public final class Crew {

    /** What each does, by the number of the turn. */
    public interface Turn {
        void take(int worker, int turn) throws Exception;
    }

    /** What follows when all turns were taken, and counts too. */
    public interface End {
        void come() throws Exception;
    }

    private Crew() {}

    /** Turns per second, with all that the end takes. */
    public static double run(int workers, int turns, Turn turn, End end) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger next = new AtomicInteger();
        // Some of what is measured blocks its thread in the kernel: then virtual threads would wait for each other.
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = i;
                all.add(executor.submit(() -> {
                    start.await();
                    for (int mine = next.getAndIncrement(); mine < turns; mine = next.getAndIncrement()) {
                        turn.take(worker, mine);
                    }
                    return null;
                }));
            }
            long begin = System.nanoTime();
            start.countDown();
            for (Future<?> one : all) {
                one.get();
            }
            end.come();
            return turns / ((System.nanoTime() - begin) / 1e9);
        }
    }
}
