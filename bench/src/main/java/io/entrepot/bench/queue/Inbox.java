package io.entrepot.bench.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where many callers leave requests for the one writer. A stack without locks: a caller pays one compare-and-set, the
 * writer takes all of it at once.
 *
 * <p>The writer sleeps until as many callers wait as it wants, and only the caller who completes that number wakes it:
 * waking a thread costs more than everything else a caller does here.
 *
 * <p>{@link #put} and {@link #wake} may be called by any thread, the rest by the writer alone.
 */
final class Inbox {

    private final Thread writer;
    private final AtomicReference<@Nullable Request> newest = new AtomicReference<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile int wanted = Integer.MAX_VALUE;

    Inbox(Thread writer) {
        this.writer = writer;
    }

    void put(Request request) {
        Request before;
        do {
            before = newest.get();
            request.before = before;
        } while (!newest.compareAndSet(before, request));
        if (waiting.incrementAndGet() >= wanted) {
            wake();
        }
    }

    void wake() {
        LockSupport.unpark(writer);
    }

    /** Sleeps until somebody waits, or is woken for another reason. */
    void awaitOne() {
        wanted = 1;
        if (waiting.get() < 1) {
            LockSupport.park(this);
        }
        wanted = Integer.MAX_VALUE;
    }

    /** Sleeps until so many wait, but not for longer than that. */
    void awaitCrowd(int crowd, long nanos) {
        wanted = crowd;
        if (waiting.get() < crowd) {
            LockSupport.parkNanos(this, nanos);
        }
        wanted = Integer.MAX_VALUE;
    }

    /** All that wait, in the order in which they came. */
    List<Request> takeAll() {
        List<Request> all = new ArrayList<>();
        for (Request request = newest.getAndSet(null); request != null; request = request.before) {
            all.add(request);
        }
        waiting.addAndGet(-all.size());
        return all.reversed();
    }
}
