package io.entrepot.lease;

/**
 * A clock that only ever goes forward and that nobody can set. Lease terms are counted on it, never on the wall clock.
 * Implementations are safe for use by many threads.
 */
@FunctionalInterface
public interface Ticker {

    /** Nanoseconds since some fixed but unknown moment; only differences mean anything. */
    long nanos();

    /** The JVM's own monotonic clock. */
    static Ticker system() {
        return System::nanoTime;
    }
}
