package io.entrepot.pool.job;

import io.entrepot.lease.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A wall clock and a ticker that stand still until they are told to move; the ticker wraps soon. Thread-safe: volatile. */
final class Clocks implements InstantSource {
    static final Instant START = Instant.parse("2026-03-29T00:30:00Z");
    final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000L);
    private volatile Instant wall = START;

    @Override
    public Instant instant() {
        return wall;
    }

    void pass(Duration time) {
        ticker.advance(time);
        setWall(time);
    }

    /** Somebody sets the wall clock; the ticker does not notice. */
    void setWall(Duration step) {
        wall = wall.plus(step);
    }
}
