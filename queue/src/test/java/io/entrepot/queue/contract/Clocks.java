package io.entrepot.queue.contract;

import io.entrepot.lease.ManualTicker;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A wall clock and a ticker that stand still until they are told to move. Safe for use by many threads. */
public final class Clocks implements InstantSource {
    public final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000L);
    private volatile Instant wall = Instant.parse("2026-03-29T00:30:00Z");

    @Override
    public Instant instant() {
        return wall;
    }

    public synchronized void pass(Duration time) {
        ticker.advance(time);
        wall = wall.plus(time);
    }

    /** Somebody sets the wall clock; the ticker does not notice. */
    public synchronized void setWall(Duration step) {
        wall = wall.plus(step);
    }

    public StoreConfig in(StoreConfig config) {
        return config.withClocks(this, ticker);
    }
}
