package io.entrepot.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ticker that stands still until it is told to move, for tests and simulations: terms run out when the test says so,
 * and nobody sleeps. Safe for use by many threads: one atomic number.
 */
public final class ManualTicker implements Ticker {
    private final AtomicLong nanos;

    public ManualTicker() {
        this(0);
    }

    /** A ticker that starts at the given reading; a start close to {@link Long#MAX_VALUE} shows whether code minds the wrap. */
    public ManualTicker(long start) {
        this.nanos = new AtomicLong(start);
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("A ticker never goes back: " + step);
        }
        nanos.addAndGet(step.toNanos());
    }
}
