package io.entrepot.lab;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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

    /** Whether every caller has ended, in whatever way. */
    public boolean allDone() {
        return tasks.stream().allMatch(FutureTask::isDone);
    }

    public long done() {
        return tasks.stream().filter(FutureTask::isDone).count();
    }

    /** What became of each caller, in the order in which they were started. */
    public List<Outcome<R>> outcomes() {
        return tasks.stream().map(Crowd::outcome).toList();
    }

    private static <R> Outcome<R> outcome(FutureTask<R> task) {
        try {
            return new Outcome<>(task.get(), null);
        } catch (ExecutionException e) {
            return new Outcome<>(null, e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What every caller got; the first failure is thrown if there was one. */
    public List<R> results() {
        for (Outcome<R> outcome : outcomes()) {
            if (!outcome.succeeded()) {
                throw new AssertionError("a caller failed", outcome.failure());
            }
        }
        return tasks.stream().map(FutureTask::resultNow).toList();
    }

    /** What was thrown at each caller, if anything. */
    public List<Optional<Throwable>> failures() {
        return outcomes().stream().map(outcome -> Optional.ofNullable(outcome.failure())).toList();
    }
}
