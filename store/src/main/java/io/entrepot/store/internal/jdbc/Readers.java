package io.entrepot.store.internal.jdbc;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Reading;
import io.entrepot.store.StoreClosedException;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * A fixed number of platform threads that read, each on a connection of its own. Calls of a database would pin the
 * carrier of a virtual thread, or break when it is interrupted, so callers hand their reading over and wait. Safe for
 * use by many threads.
 */
public final class Readers implements AutoCloseable {
    private final Source source;
    private final InstantSource time;
    private final Set<Thread> members = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads;

    /** Where snapshots come from. Safe for use by many threads, and never asked for more than there are readers. */
    public interface Source extends AutoCloseable {

        /** One in a transaction of its own, which has begun. */
        JdbcSnapshot begin();

        /** Its transaction may end. */
        void end(JdbcSnapshot snapshot);

        @Override
        void close();
    }

    public Readers(String name, int size, InstantSource time, Source source) {
        this.source = source;
        this.time = time;
        ThreadFactory factory = Thread.ofPlatform().daemon().name("store-reader-" + name + "-", 1).factory();
        this.threads = Executors.newFixedThreadPool(size, task -> {
            Thread thread = factory.newThread(task);
            members.add(thread);
            return thread;
        });
    }

    /** Whether the calling thread is one of these: it must not wait for another one. */
    public boolean areCalling() {
        return members.contains(Thread.currentThread());
    }

    public <R> R read(Reading<R> reading) {
        Future<R> answer;
        try {
            answer = threads.submit(() -> run(reading));
        } catch (RejectedExecutionException e) {
            throw new StoreClosedException("the store has been closed", e);
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        return switch (e.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> NotDoneException.io("reading failed", e);
        };
    }

    private <R> R run(Reading<R> reading) {
        JdbcSnapshot snapshot = source.begin();
        snapshot.handOver(time.millis());
        try {
            return reading.run(snapshot);
        } finally {
            snapshot.takeAway();
            source.end(snapshot);
        }
    }

    /** Finishes the readings that were handed in, and ends the threads. Called once, uninterrupted. */
    @Override
    public void close() {
        threads.shutdown();
        members.forEach(Uninterrupted::join);
        source.close();
    }
}
