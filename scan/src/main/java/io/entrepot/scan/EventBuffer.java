package io.entrepot.scan;

import io.entrepot.posix.InotifyEvents;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from the thread that reads them to the one that interprets them. Bounded: when it is full, what it
 * holds is dropped, and the taker is told so before anything else. Safe for use by those two threads and whoever closes it:
 * all is under one lock, held for a copy of memory at most.
 */
final class EventBuffer {
    /** As much as may be appended at once. */
    static final int LEAST_CHUNK = 1 << 14;
    private static final int LARGEST_CHUNK = 1 << 18;
    private static final int SPARE = 4;
    private static final int NAME_ROOM_AT = 12;
    private static final int HEAD = 16;

    private final int chunkBytes;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Chunk> full = new ArrayDeque<>();
    private final ArrayDeque<Chunk> spare = new ArrayDeque<>();
    private @Nullable Chunk filling;
    private boolean overflowed;
    private boolean nudged;
    private boolean closed;

    /** What there is for the taker. */
    sealed interface Taken {
        record Events(Chunk chunk) implements Taken {}

        /** Some were dropped; nothing that happened before is in the buffer any more. */
        record Overflow() implements Taken {}

        /** The time is over, or somebody {@linkplain EventBuffer#nudge nudged}. */
        record Nothing() implements Taken {}

        record Closed() implements Taken {}
    }

    static final class Chunk {
        final InotifyEvents events;
        private int length;

        Chunk(int bytes) {
            events = new InotifyEvents(bytes);
        }
    }

    EventBuffer(int bytes) {
        chunkBytes = Math.clamp(bytes / 8, LEAST_CHUNK, LARGEST_CHUNK);
        most = Math.max(1, bytes / chunkBytes);
    }

    /**
     * Copies what was read: a reader that is quick gets few events at a time, and they are to lie close together.
     *
     * @return how many bytes that was
     */
    int append(InotifyEvents read) {
        int length = 0;
        read.rewind();
        while (read.next()) {
            length += HEAD + read.memory().get(ValueLayout.JAVA_INT, length + NAME_ROOM_AT);
        }
        lock.lock();
        try {
            Chunk chunk = room(length);
            if (chunk == null) {
                full.clear();
                filling = null;
                overflowed = true;
            } else {
                MemorySegment.copy(read.memory(), 0, chunk.events.memory(), chunk.length, length);
                chunk.length += length;
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
        return length;
    }

    private @Nullable Chunk room(int length) {
        Chunk chunk = filling;
        if (chunk != null && chunk.length + length <= chunkBytes) {
            return chunk;
        }
        if (chunk != null) {
            if (full.size() + 2 > most) {
                return null;
            }
            full.add(chunk);
        }
        chunk = spare.poll();
        filling = chunk == null ? new Chunk(chunkBytes) : chunk;
        filling.length = 0;
        return filling;
    }

    /** Waits for events, at most so long. A chunk is to be {@linkplain #release given back}. */
    Taken take(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!closed && !overflowed && !nudged && full.isEmpty() && filling == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            nudged = false;
            if (closed) {
                return new Taken.Closed();
            }
            if (overflowed) {
                overflowed = false;
                return new Taken.Overflow();
            }
            Chunk chunk = full.poll();
            if (chunk == null) {
                chunk = filling;
                filling = null;
            }
            if (chunk == null) {
                return new Taken.Nothing();
            }
            chunk.events.filled(chunk.length);
            return new Taken.Events(chunk);
        } finally {
            lock.unlock();
        }
    }

    void release(Chunk chunk) {
        lock.lock();
        try {
            if (spare.size() < SPARE) {
                spare.add(chunk);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what it holds. */
    void clear() {
        lock.lock();
        try {
            full.clear();
            filling = null;
            overflowed = false;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the taker look around. */
    void nudge() {
        lock.lock();
        try {
            nudged = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            full.clear();
            filling = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
