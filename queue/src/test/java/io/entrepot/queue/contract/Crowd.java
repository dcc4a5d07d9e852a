package io.entrepot.queue.contract;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Callers that do something at the same time, each on a thread of its own; what became of each is kept apart. */
public final class Crowd<R> {
    private final List<FutureTask<R>> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** What one of several callers does. */
    public interface Act<R> {
        R by(int caller) throws Exception;
    }

    /** Starts {@code n} callers and returns at once. */
    public static <R> Crowd<R> start(int n, Act<R> act) {
        Crowd<R> crowd = new Crowd<>();
        for (int i = 0; i < n; i++) {
            int caller = i;
            crowd.start(() -> act.by(caller));
        }
        return crowd;
    }

    /** Runs {@code n} callers and returns what each got. */
    public static <R> List<R> run(int n, Act<R> act) {
        return start(n, act).results();
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

    /** Waits until every caller sleeps for a limited time, as one does who waits for an item, and not for a commit. */
    public Crowd<R> awaitAsleep() {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(
                () -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        return this;
    }

    public boolean allDone() {
        return tasks.stream().allMatch(FutureTask::isDone);
    }

    public long done() {
        return tasks.stream().filter(FutureTask::isDone).count();
    }

    /** What every caller got; the first failure is thrown if there was one. */
    public List<R> results() {
        List<R> results = new ArrayList<>();
        for (FutureTask<R> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                throw new AssertionError("a caller failed", e.getCause());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return results;
    }

    /** What was thrown at each caller, if anything. */
    public List<Optional<Throwable>> failures() {
        List<Optional<Throwable>> failures = new ArrayList<>();
        for (FutureTask<R> task : tasks) {
            try {
                task.get();
                failures.add(Optional.empty());
            } catch (ExecutionException e) {
                failures.add(Optional.of(e.getCause()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return failures;
    }
}
