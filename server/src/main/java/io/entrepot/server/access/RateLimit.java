package io.entrepot.server.access;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * So many per second each, and so many at once: a bucket of tokens for each name. Names that have been quiet until their bucket
 * was full again are forgotten, and of too many names the rest share one bucket, so that memory is bounded. Safe for use by many
 * threads: each bucket is changed within its map.
 */
public final class RateLimit {
    private static final int MOST_NAMES = 10_000;
    private static final String OTHERS = "";
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double burst;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    private record Bucket(double tokens, long at) {}

    /** @param perSecond 0 for no limit */
    public RateLimit(double perSecond, double burst, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanos = nanos;
    }

    /** Takes a token. If there is none, says how long it takes until there is. */
    public Optional<Duration> take(String name) {
        if (perSecond <= 0) {
            return Optional.empty();
        }
        long now = nanos.getAsLong();
        if (buckets.size() >= MOST_NAMES) {
            buckets.values().removeIf(bucket -> filled(bucket, now) >= burst);
        }
        String known = buckets.containsKey(name) || buckets.size() < MOST_NAMES ? name : OTHERS;
        Bucket after = buckets.merge(known, new Bucket(burst - 1, now),
                (before, _) -> new Bucket(Math.max(-1, filled(before, now) - 1), now));
        return after.tokens >= 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) Math.ceil(-after.tokens / perSecond * 1000)));
    }

    private double filled(Bucket bucket, long now) {
        return Math.min(burst, bucket.tokens + (now - bucket.at) / NANOS * perSecond);
    }
}
