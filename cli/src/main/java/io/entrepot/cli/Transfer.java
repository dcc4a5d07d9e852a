package io.entrepot.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How much of some files has been moved, and how fast, for people who wait. Safe for use by many threads; each part is moved by one.
 */
final class Transfer {
    /** The speed is that of so long before. Too short: it jumps about. */
    private static final long WINDOW_NANOS = 5_000_000_000L;
    private static final double SECOND_NANOS = 1e9;

    private final LongSupplier nanos;
    private final Set<Part> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicLong moved = new AtomicLong();
    /** What was moved when somebody asked, oldest first; guarded by this. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, long moved) {}

    Transfer(LongSupplier nanos) {
        this.nanos = nanos;
        samples.add(new Sample(nanos.getAsLong(), 0));
    }

    static Transfer now() {
        return new Transfer(System::nanoTime);
    }

    /** One file that is moved, until it is closed. */
    final class Part implements AutoCloseable {
        private final long size;
        private final AtomicLong at = new AtomicLong();

        private Part(long size) {
            this.size = size;
        }

        void moved(long bytes) {
            at.addAndGet(bytes);
            moved.addAndGet(bytes);
        }

        @Override
        public void close() {
            underWay.remove(this);
        }
    }

    Part begin(long size) {
        Part part = new Part(size);
        underWay.add(part);
        return part;
    }

    /** As "512 MiB of 2.0 GiB, 85 MiB/s"; of the files that are under way. Nothing if none is. */
    String text() {
        long size = 0;
        long at = 0;
        for (Part part : underWay) {
            size += part.size;
            at += Math.min(part.at.get(), part.size); // what is sent again is not more of it
        }
        long speed = speed();
        return size == 0 ? "" : Sizes.of(at) + " of " + Sizes.of(size) + ", " + Sizes.of(speed) + "/s";
    }

    private synchronized long speed() {
        Sample now = new Sample(nanos.getAsLong(), moved.get());
        samples.add(now);
        while (samples.size() > 2 && now.nanos - samples.getFirst().nanos > WINDOW_NANOS) {
            samples.removeFirst();
        }
        Sample then = samples.getFirst();
        double seconds = (now.nanos - then.nanos) / SECOND_NANOS;
        return seconds <= 0 ? 0 : Math.round((now.moved - then.moved) / seconds);
    }
}
