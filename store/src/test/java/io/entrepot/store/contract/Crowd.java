package io.entrepot.store.contract;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Callers that do something at the same time, each on a thread of its own; what became of each is kept apart. */
public final class Crowd<R> {
    private final List<FutureTask<R>> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** One of the two is there: what the caller got, or what was thrown at it. */
    public record Outcome<R>(@Nullable R value, @Nullable Throwable failure) {

        public boolean succeeded() {
            return failure == null;
        }
    }

    /** Starts {@code n} callers and returns at once. */
    public static <R> Crowd<R> start(int n, IntFunction<R> call) {
        Crowd<R> crowd = new Crowd<>();
        for (int i = 0; i < n; i++) {
            int caller = i;
            crowd.start(() -> call.apply(caller));
        }
        return crowd;
    }

    /** Runs {@code n} callers and returns what became of each, in their order. */
    public static <R> List<Outcome<R>> run(int n, IntFunction<R> call) {
        return start(n, call).outcomes();
    }

    public Thread start(Callable<R> call) {
        FutureTask<R> task = new FutureTask<>(call);
        tasks.add(task);
        threads.add(Thread.ofVirtual().start(task));
        return threads.getLast();
    }

    /** Waits until every caller waits for something, or has ended. */
    public Crowd<R> awaitWaiting() {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> threads.stream().allMatch(
                thread -> switch (thread.getState()) {
                    case WAITING, TIMED_WAITING, TERMINATED -> true;
                    default -> false;
                }));
        return this;
    }

    public List<Outcome<R>> outcomes() {
        List<Outcome<R>> outcomes = new ArrayList<>();
        for (FutureTask<R> task : tasks) {
            try {
                outcomes.add(new Outcome<>(task.get(), null));
            } catch (ExecutionException e) {
                outcomes.add(new Outcome<>(null, e.getCause()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return outcomes;
    }

    /** What every caller got; the first failure is thrown if there was one. */
    public List<R> results() {
        List<R> results = new ArrayList<>();
        for (Outcome<R> outcome : outcomes()) {
            if (outcome.failure() != null) {
                throw new AssertionError("a caller failed", outcome.failure());
            }
            results.add(outcome.value());
        }
        return results;
    }
}
