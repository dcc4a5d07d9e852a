package io.entrepot.pool.metrics;

import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.TenantId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times what this process does. Safe for use by many threads. */
final class Counts implements PoolObserver {
    private final MeterRegistry registry;
    private final TenantTags tags;
    /** So that nothing is built for every file. */
    private final Map<Fated, Counter> files = new ConcurrentHashMap<>();
    private final Map<Fated, Counter> bytes = new ConcurrentHashMap<>();
    private final Map<Ended, Timer> timers = new ConcurrentHashMap<>();

    private record Fated(Fate fate, String tenant) {}

    private record Ended(Step step, String error) {}

    Counts(MeterRegistry registry, TenantTags tags) {
        this.registry = registry;
        this.tags = tags;
        for (Step step : Step.values()) {
            timer(new Ended(step, "")); // there from the start
        }
    }

    @Override
    public void took(Step step, long nanos, String error) {
        timers.computeIfAbsent(new Ended(step, error), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Ended ended) {
        return Timer.builder("entrepot.pool." + name(ended.step))
                .tag("error", ended.error.isEmpty() ? "none" : ended.error)
                .description("calls, by the code of their error").register(registry);
    }

    @Override
    public void files(Fate fate, TenantId tenant, long count, long size) {
        Fated fated = new Fated(fate, tags.of(tenant));
        files.computeIfAbsent(fated, one -> counter("entrepot.pool.files." + name(one.fate),
                "files, by what became of them at this process", one)).increment((double) count);
        if (fate == Fate.WRITTEN) {
            bytes.computeIfAbsent(fated, one -> counter("entrepot.pool.bytes.written", "bytes of files written", one))
                    .increment((double) size);
        }
    }

    private Counter counter(String name, String description, Fated fated) {
        return Counter.builder(name).tag(TenantTags.KEY, fated.tenant).description(description).register(registry);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
