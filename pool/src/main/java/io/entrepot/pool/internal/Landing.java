package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a small file on their way to the volume while the file is made known. Whoever commits waits for them when the commit is durable,
 * but for a moment only, as everybody else waits for him; what has not come by then is made unknown again. Used by two threads: the
 * writer, who sends them off when his request is on its way and comes back when it has been answered, and the one that commits.
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

    private final Departure departure;
    private final long begun = REAL.nanos();
    private volatile Backend.@Nullable Putting putting;
    private volatile @Nullable Throwable failure;
    private boolean takenBack;

    /** Sends the bytes to the volume. */
    interface Departure {
        Backend.Putting begin() throws VolumeException;
    }

    Landing(Departure departure) {
        this.departure = departure;
    }

    /** Once, by the writer. What keeps them from being sent is told to whoever waits. */
    void begin() {
        try {
            putting = departure.begin();
        } catch (VolumeException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private boolean isOver() {
        Backend.Putting sent = putting;
        return sent == null ? failure != null : sent.isOver();
    }

    private boolean isPut() {
        Backend.Putting sent = putting;
        return sent != null && sent.isPut();
    }

    /** Whether it is known already that they do not arrive. */
    boolean hasFailed() {
        return isOver() && !isPut();
    }

    /** Waits; whether they are there. */
    boolean hasArrived() {
        long from = REAL.nanos();
        for (long now = from; !isOver() && now - begun < LONGEST_NANOS; now = REAL.nanos()) {
            pause(now - from);
        }
        return isPut();
    }

    /** By the writer: whether they have not arrived and will not. */
    boolean giveUp() {
        Backend.Putting sent = putting;
        return sent == null || sent.giveUp();
    }

    /** By the writer: waits until they have arrived, and throws what keeps them from it. */
    void await() throws VolumeException, InterruptedException {
        switch (failure) {
            case null -> {
            }
            case VolumeException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
        Backend.Putting sent = putting;
        if (sent != null) {
            sent.await();
        }
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
