package io.entrepot.store.internal.postgres;

import io.entrepot.lease.Ticker;
import java.time.Instant;
import java.time.InstantSource;

/** The database's clock as it was last heard, and what has passed since on our own ticker. Thread-safe. */
final class DatabaseTime implements InstantSource {
    private final Ticker ticker;
    private Instant heard = Instant.EPOCH;
    private long heardAt;

    DatabaseTime(Ticker ticker) {
        this.ticker = ticker;
    }

    synchronized void hear(long millis) {
        heard = Instant.ofEpochMilli(millis);
        heardAt = ticker.nanos();
    }

    @Override
    public synchronized Instant instant() {
        return heard.plusNanos(ticker.nanos() - heardAt);
    }
}
