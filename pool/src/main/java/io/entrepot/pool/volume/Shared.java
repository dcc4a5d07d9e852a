package io.entrepot.pool.volume;

/**
 * Counts the calls that use something, so that it is ended by the last of them and under none of them. A call that hangs still
 * counts when its caller has given up. Safe for use by many threads: by its monitor, held for some instructions only.
 */
final class Shared {
    private final Runnable end;
    private int users;
    private boolean closed;

    /** @param end called once, on the thread of the last user, or of {@link #close} if there is none */
    Shared(Runnable end) {
        this.end = end;
    }

    /** Whether it may be used; {@link #leave} after that. */
    synchronized boolean enter() {
        if (closed) {
            return false;
        }
        users++;
        return true;
    }

    void leave() {
        boolean last;
        synchronized (this) {
            users--;
            last = closed && users == 0;
        }
        if (last) {
            end.run();
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Harmless when repeated. */
    void close() {
        boolean unused;
        synchronized (this) {
            unused = !closed && users == 0;
            closed = true;
        }
        if (unused) {
            end.run();
        }
    }
}
