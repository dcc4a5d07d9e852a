package io.entrepot.store.contract;

import io.entrepot.lease.ManualTicker;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wall clock and a ticker that stand still until they are told to move. Safe for use by many threads. */
final class Clocks implements InstantSource {
    final ManualTicker ticker = new ManualTicker();
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile Instant wall = Instant.parse("2026-03-29T00:30:00Z");

    @Override
    public Instant instant() {
        return wall;
    }

    /** Tells whoever has another clock to set by this one. */
    void follow(Runnable follower) {
        followers.add(follower);
    }

    void pass(Duration time) {
        ticker.advance(time);
        setWall(time);
    }

    /** Somebody sets the wall clock; the ticker does not notice. */
    void setWall(Duration step) {
        wall = wall.plus(step);
        followers.forEach(Runnable::run);
    }

    StoreConfig in(StoreConfig config) {
        return config.withClocks(this, ticker);
    }
}
