package io.entrepot.pool.volume;

import io.entrepot.lease.Ticker;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blobs that are put while their callers do something else. One of the mount's threads puts them one after another, and a second
 * one helps if many wait: they all want the same directories, so more would wait for each other, and whoever adds to what
 * is being worked off wakes nobody.
 *
 * <p>INVARIANT: while something waits, somebody works it off, or is about to. Who ends looks once more after he has said so.
 *
 * <p>Safe for use by many threads.
 */
final class PutQueue {
    private static final int FOR_A_SECOND_THREAD = 8;
    /** Then it goes on as another job, so that one that is only busy is not taken for one that hangs. */
    private static final int AT_ONCE = 128;
    /** As long as a group of writers needs to come back with the next files, or a disk with quick syncs to take them. */
    private static final long AWAKE_NANOS = 300_000;
    private static final boolean SEVERAL_PROCESSORS = Runtime.getRuntime().availableProcessors() > 1;
    /** Of all volumes together, one thread: there are not so many processors, and one that is awake is enough. */
    private static final AtomicBoolean STAYS_AWAKE = new AtomicBoolean();
    private static final Ticker REAL = Ticker.system();

    private final MountThreads threads;
    private final Queue<Put> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger length = new AtomicInteger();
    private final AtomicInteger working = new AtomicInteger();

    /** Says whether it was not given up. */
    @FunctionalInterface
    interface Placer {
        boolean place(Attempt attempt) throws IOException;
    }

    PutQueue(MountThreads threads) {
        this.threads = threads;
    }

    /** @throws VolumeException if all threads hang already */
    Backend.Putting add(BlobPath path, Placer placer, Runnable placed) throws VolumeException {
        Put put = new Put(path, placer, placed);
        waiting.add(put);
        if (mayWork(length.incrementAndGet())) {
            boolean begun = false;
            try {
                threads.start(this::work);
                begun = true;
            } finally {
                if (!begun) {
                    put.giveUp();
                    working.decrementAndGet();
                    dropAll();
                }
            }
        }
        return put;
    }

    /** Nobody would work it off, so those who wait for it are told; unless somebody works, who drops nothing. */
    private void dropAll() {
        while (working.get() == 0) {
            Put put = waiting.poll();
            if (put == null) {
                return;
            }
            length.decrementAndGet();
            put.drop();
        }
    }

    private boolean mayWork(int many) {
        int most = many > FOR_A_SECOND_THREAD ? 2 : 1;
        for (int now = working.get(); now < most; now = working.get()) {
            if (working.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    private void work() {
        int done = 0;
        do {
            for (Put put = next(); put != null; put = next()) {
                length.decrementAndGet();
                put.run();
                if (++done >= AT_ONCE && goesOn()) {
                    return;
                }
            }
            working.decrementAndGet();
        } while (!waiting.isEmpty() && mayWork(length.get()));
    }

    /**
     * The next one to put; or nobody's, if none comes for a while. Who has written small files writes more of them, and their commits wait for
     * the disk: were this thread to sleep at once, so would the processor, and both would have to be woken again.
     */
    private @Nullable Put next() {
        Put put = waiting.poll();
        if (put == null && SEVERAL_PROCESSORS && STAYS_AWAKE.compareAndSet(false, true)) {
            try {
                stayAwake();
            } finally {
                STAYS_AWAKE.set(false);
            }
            put = waiting.poll();
        }
        return put;
    }

    @SuppressWarnings("ThreadPriorityCheck") // whatever else there is to run goes first
    private void stayAwake() {
        long begin = REAL.nanos();
        while (waiting.isEmpty() && working.get() == 1 && REAL.nanos() - begin < AWAKE_NANOS) {
            Thread.yield();
        }
    }

    private boolean goesOn() {
        try {
            threads.start(this::work);
            return true;
        } catch (VolumeException | RuntimeException e) {
            return false; // closed, or the other threads hang: then by this one
        }
    }

    /** What comes of it is written before {@code over}. */
    private final class Put implements Backend.Putting {
        private final BlobPath path;
        private final Placer placer;
        private final Runnable placed;
        private final Attempt attempt = new Attempt();
        private final long begun = REAL.nanos();
        private boolean put;
        private @Nullable Throwable failure;
        private volatile boolean over;
        private volatile @Nullable Thread waits;

        Put(BlobPath path, Placer placer, Runnable placed) {
            this.path = path;
            this.placer = placer;
            this.placed = placed;
        }

        /** Nobody places it. */
        void drop() {
            giveUp();
            failure = new Fault(VolumeException.Kind.HANGS, "no thread could take it; look at the storage");
            end();
        }

        void run() {
            try {
                if (threads.checked(() -> placer.place(attempt))) {
                    placed.run();
                    put = true;
                }
            } catch (Throwable e) {
                failure = e;
            }
            end();
        }

        private void end() {
            over = true;
            LockSupport.unpark(waits);
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public boolean isPut() {
            return over && put;
        }

        @Override
        public boolean giveUp() {
            return attempt.giveUp();
        }

        @Override
        public void await() throws VolumeException, InterruptedException {
            waits = Thread.currentThread();
            while (!over) {
                long left = threads.patience().toNanos() - (REAL.nanos() - begun);
                if (left <= 0) {
                    throw threads.failure(giveUp() ? path : path + " (it may still be done)",
                            new Fault(VolumeException.Kind.HANGS, "it took too long; look at the storage"));
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    giveUp();
                    throw new InterruptedException();
                }
            }
            if (failure != null) {
                throw threads.failure(path, failure);
            }
        }
    }
}
