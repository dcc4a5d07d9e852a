package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * In which order the committing thread takes files whose bytes are still on their way to the volume: as they arrive. It waits for a
 * moment only, as everybody else waits for it; a file that has not arrived by then is left to its writer. For one thread.
 */
final class Arrival {
    /** About ten times as long as it takes if nothing else is going on. */
    private static final long LONGEST_NANOS = Duration.ofMillis(1).toNanos();
    /** To be woken takes as long as a file takes to arrive; after that the processor may be wanted for more urgent things. */
    private static final long AWAKE_NANOS = 150_000;
    private static final long NAP_NANOS = 50_000;
    private static final Ticker REAL = Ticker.system();

    private final List<WriteOperation.Request> left;
    private long waited;

    Arrival(List<WriteOperation.Request> requests) {
        left = new ArrayList<>(requests);
    }

    /** Those that have arrived and were not given before. Nothing when there is none left, or not in time. */
    List<WriteOperation.Request> next() {
        List<WriteOperation.Request> arrived = take();
        long begin = REAL.nanos();
        while (arrived.isEmpty() && !left.isEmpty() && waited + (REAL.nanos() - begin) < LONGEST_NANOS) {
            pause(REAL.nanos() - begin);
            arrived = take();
        }
        waited += REAL.nanos() - begin;
        return arrived;
    }

    private List<WriteOperation.Request> take() {
        List<WriteOperation.Request> arrived = new ArrayList<>();
        left.removeIf(request -> {
            boolean over = !request.isOnItsWay();
            if (over && request.isPlaced()) {
                arrived.add(request);
            }
            return over;
        });
        return arrived;
    }

    /** Whether it has arrived, after a wait if need be. */
    static boolean awaited(WriteOperation.Request one) {
        long begin = REAL.nanos();
        for (long now = begin; one.isOnItsWay() && now - begin < LONGEST_NANOS; now = REAL.nanos()) {
            pause(now - begin);
        }
        return one.isPlaced();
    }

    @SuppressWarnings("ThreadPriorityCheck") // who places the file may need this processor
    private static void pause(long waited) {
        if (waited < AWAKE_NANOS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }
}
