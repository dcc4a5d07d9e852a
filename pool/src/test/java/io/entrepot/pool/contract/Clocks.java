package io.entrepot.pool.contract;

import io.entrepot.lease.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A wall clock and a ticker that move when they are told to. They begin later than any real clock is: a database hears the real
 * one before it hears this one, and its time never goes back. Safe for use by many threads.
 */
public final class Clocks implements InstantSource {
    public final ManualTicker ticker = new ManualTicker(0);
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile Instant wall = Instant.parse("2036-03-29T00:30:00Z");

    @Override
    public Instant instant() {
        return wall;
    }

    void follow(Runnable follower) {
        followers.add(follower);
    }

    public synchronized void pass(Duration time) {
        ticker.advance(time);
        wall = wall.plus(time);
        followers.forEach(Runnable::run);
    }
}
