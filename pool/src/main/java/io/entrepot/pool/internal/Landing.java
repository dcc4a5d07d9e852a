package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.volume.Backend;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The bytes of a small file on their way to the volume while the file is made known. Whoever commits waits for them when the commit is durable,
 * but for a moment only, as everybody else waits for him; what has not come by then is made unknown again. Used by one thread at a
 * time: the writer, the one that commits, and the writer again.
 */
final class Landing {
    /**
     * Longer than anything takes that is well, also on a busy machine: to take a file back costs a commit. After the first one that is late
     * everybody waits for the volume by himself, so that it is not waited for like this again.
     */
    static final long LONGEST_NANOS = Duration.ofMillis(50).toNanos();
    /** To be woken takes as long as a file takes to arrive; after that the processor may be wanted for more urgent things. */
    private static final long AWAKE_NANOS = 150_000;
    private static final long NAP_NANOS = 50_000;
    private static final Ticker REAL = Ticker.system();

    private final Backend.Putting putting;
    private final long begun = REAL.nanos();
    private boolean takenBack;

    Landing(Backend.Putting putting) {
        this.putting = putting;
    }

    Backend.Putting putting() {
        return putting;
    }

    /** Whether it is known already that they do not arrive. */
    boolean hasFailed() {
        return putting.isOver() && !putting.isPut();
    }

    /** Waits; whether they are there. */
    boolean hasArrived() {
        long from = REAL.nanos();
        for (long now = from; !putting.isOver() && now - begun < LONGEST_NANOS; now = REAL.nanos()) {
            pause(now - from);
        }
        return putting.isPut();
    }

    @SuppressWarnings("ThreadPriorityCheck") // who places the file may need this processor
    private static void pause(long waited) {
        if (waited < AWAKE_NANOS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** The file was known, and is not any more. */
    void takeBack() {
        takenBack = true;
    }

    boolean wasTakenBack() {
        return takenBack;
    }
}
