package io.entrepot.pool.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Does the same with many things, each on a thread of its own, and waits for all: one that hangs holds up none of the others. */
final class Beside {

    private Beside() {}

    /** What is done with one. */
    interface Step<T> {
        void run(T one) throws InterruptedException;
    }

    /** Throws what the first of them has thrown, if any has. */
    static <T> void each(List<T> all, Step<T> step) throws InterruptedException {
        Map<FutureTask<Boolean>, Thread> tasks = new LinkedHashMap<>();
        for (T one : all) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                step.run(one);
                return true;
            });
            tasks.put(task, Thread.ofVirtual().start(task));
        }
        try {
            for (Thread thread : tasks.values()) {
                thread.join();
            }
        } finally {
            tasks.values().forEach(Thread::interrupt); // if we are not to wait, nor are they
        }
        for (FutureTask<Boolean> task : tasks.keySet()) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failed
                        ? failed
                        : new IllegalStateException(e.getCause());
            }
        }
    }
}
