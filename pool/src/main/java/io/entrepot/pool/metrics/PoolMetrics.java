package io.entrepot.pool.metrics;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Pool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A pool in figures: {@code new PoolMetrics(pool).bindTo(registry)}. All of them are in {@code docs/metrics.md}. Counters and
 * timers are of this process, to be summed up over all; gauges are of the whole pool. Closed before the pool is, it takes its
 * gauges out again. Safe for use by many threads.
 */
public final class PoolMetrics implements MeterBinder, AutoCloseable {
    public static final int DEFAULT_TENANTS = 100;
    private static final int WATCHERS = 100;
    private static final Duration SERVES = Duration.ofSeconds(5);

    private final Pool pool;
    private final int tenants;
    private final Deque<Runnable> bound = new ArrayDeque<>();

    public PoolMetrics(Pool pool) {
        this(pool, DEFAULT_TENANTS);
    }

    /**
     * @param tenants so many have figures of their own, each by its tag; the rest are summed up as {@code others}, and
     *                with 0 all are, as {@code all}. Too many: the registry and what reads it grow large
     */
    public PoolMetrics(Pool pool, int tenants) {
        if (tenants < 0) {
            throw new InvalidSettingException("the number of tenants with figures is not negative: " + tenants);
        }
        this.pool = pool;
        this.tenants = tenants;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        NameTags ofTenants = NameTags.ofTenants(tenants);
        NameTags ofWatchers = NameTags.ofWatchers(WATCHERS);
        Gauges gauges = new Gauges(pool, registry, ofTenants, ofWatchers, SERVES);
        bound.push(gauges::remove);
        bound.push(pool.observe(new Counts(registry, ofTenants, ofWatchers))::close);
    }

    @Override
    public synchronized void close() {
        while (!bound.isEmpty()) {
            bound.pop().run();
        }
    }
}
