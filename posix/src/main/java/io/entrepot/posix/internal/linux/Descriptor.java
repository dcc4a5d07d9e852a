package io.entrepot.posix.internal.linux;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file descriptor that is closed when its last user has left. The number is only given out between {@link #acquire} and
 * {@link #release}, and closed once, after both {@link #close} was called and everybody released it: so no call can reach
 * a number that the kernel has given to somebody else by then. Safe for use by many threads: the state is one atomic number,
 * users in the lower bits.
 */
final class Descriptor {
    private static final int CLOSED = 1 << 30;

    private final int number;
    private final AtomicInteger state = new AtomicInteger();

    Descriptor(int number) {
        this.number = number;
    }

    /** @throws IllegalStateException if it is closed */
    int acquire() {
        if (!tryAcquire()) {
            throw new IllegalStateException("closed");
        }
        return number;
    }

    boolean tryAcquire() {
        int users = state.get();
        while ((users & CLOSED) == 0) {
            if (state.compareAndSet(users, users + 1)) {
                return true;
            }
            users = state.get();
        }
        return false;
    }

    /** For whoever has acquired it. */
    int number() {
        return number;
    }

    void release() {
        if (state.decrementAndGet() == CLOSED) {
            reallyClose();
        }
    }

    boolean isClosed() {
        return (state.get() & CLOSED) != 0;
    }

    /** @return whether it was open */
    boolean close() {
        int before = state.getAndUpdate(users -> users | CLOSED);
        if (before == 0) {
            reallyClose();
        }
        return (before & CLOSED) == 0;
    }

    private void reallyClose() {
        try (Scratch scratch = Scratch.take()) {
            // What a close could report, a failed write, cannot happen to what is only read.
            Libc.close(scratch.errno, number);
        }
    }
}
