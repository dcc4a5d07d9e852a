package io.entrepot.queue.contract;

import io.entrepot.lease.ManualTicker;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wall clock and a ticker that stand still until they are told to move. Safe for use by many threads. */
public final class Clocks implements InstantSource {
    public final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000L);
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile Instant wall = Instant.parse("2026-03-29T00:30:00Z");

    @Override
    public Instant instant() {
        return wall;
    }

    /** Tells whoever has another clock to set by this one. */
    public void follow(Runnable follower) {
        followers.add(follower);
    }

    public synchronized void pass(Duration time) {
        ticker.advance(time);
        setWall(time);
    }

    /** Somebody sets the wall clock; the ticker does not notice. */
    public synchronized void setWall(Duration step) {
        wall = wall.plus(step);
        followers.forEach(Runnable::run);
    }

    public StoreConfig in(StoreConfig config) {
        return config.withClocks(this, ticker);
    }
}
