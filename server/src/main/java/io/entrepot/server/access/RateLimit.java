package io.entrepot.server.access;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * So many per second each, and so many at once: a bucket of tokens for each name. Names that have been quiet until their bucket
 * was full again are forgotten, and of too many names the rest share one bucket, so that memory is bounded. Safe for use by many
 * threads: each bucket is changed within its map.
 */
public final class RateLimit {
    private static final int MOST_NAMES = 10_000;
    private static final String OTHERS = "";
    private static final double NANOS = 1e9;
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<Rate> rate;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
    /** When they were last looked through. */
    private final AtomicLong looked;

    private record Bucket(double tokens, long at) {}

    /** @param perSecond 0 for no limit */
    public record Rate(double perSecond, double burst) {}

    /** @param rate as it is now: it may change */
    public RateLimit(Supplier<Rate> rate, LongSupplier nanos) {
        this.rate = rate;
        this.nanos = nanos;
        this.looked = new AtomicLong(nanos.getAsLong() - LOOK_NANOS);
    }

    /** Takes a token. If there is none, says how long it takes until there is. */
    public Optional<Duration> take(String name) {
        Rate now = rate.get();
        if (now.perSecond <= 0) {
            return Optional.empty();
        }
        long at = nanos.getAsLong();
        if (buckets.size() >= MOST_NAMES) {
            forgetQuiet(at, now);
        }
        String known = buckets.containsKey(name) || buckets.size() < MOST_NAMES ? name : OTHERS;
        Bucket after = buckets.merge(known, new Bucket(now.burst - 1, at),
                (before, _) -> new Bucket(Math.max(-1, filled(before, at, now) - 1), at));
        return after.tokens >= 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) Math.ceil(-after.tokens / now.perSecond * 1000)));
    }

    /** Not at each call: whoever has many names would make all others pay for a look through them. */
    private void forgetQuiet(long at, Rate now) {
        long last = looked.get();
        if (at - last >= LOOK_NANOS && looked.compareAndSet(last, at)) {
            buckets.values().removeIf(bucket -> filled(bucket, at, now) >= now.burst);
        }
    }

    private static double filled(Bucket bucket, long at, Rate now) {
        return Math.min(now.burst, bucket.tokens + (at - bucket.at) / NANOS * now.perSecond);
    }
}
