package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import java.time.Duration;

/**
 * How long to pause so that no more than so many bytes come in a second. What was not used in one second can be used up in the
 * next, and no later. For one thread.
 */
final class Throttle {
    private static final double SECOND = Duration.ofSeconds(1).toNanos();

    private final Ticker ticker;
    private final double perNano;
    private final double most;
    private double left;
    private long at;

    Throttle(Ticker ticker, long bytesPerSecond) {
        this.ticker = ticker;
        this.perNano = bytesPerSecond / SECOND;
        this.most = bytesPerSecond;
        this.left = bytesPerSecond;
        this.at = ticker.nanos();
    }

    /** So many have come; none if there is more to come at once. */
    Duration pause(long bytes) {
        long now = ticker.nanos();
        left = Math.min(most, left + (now - at) * perNano) - bytes;
        at = now;
        return left >= 0 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil(-left / perNano));
    }
}
