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
    private final NameTags tenants;
    private final NameTags watchers;
    /** So that nothing is built for every file. */
    private final Map<Fated, Counter> files = new ConcurrentHashMap<>();
    private final Map<Fated, Counter> bytes = new ConcurrentHashMap<>();
    private final Map<Ended, Timer> timers = new ConcurrentHashMap<>();

    private record Fated(Fate fate, String tenant) {}

    private record Ended(Step step, String error) {}

    Counts(MeterRegistry registry, NameTags tenants, NameTags watchers) {
        this.registry = registry;
        this.tenants = tenants;
        this.watchers = watchers;
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
        Fated fated = new Fated(fate, tenants.of(tenant.name()));
        files.computeIfAbsent(fated, one -> counter("entrepot.pool.files." + name(one.fate),
                "files, by what became of them at this process", one)).increment((double) count);
        if (fate == Fate.WRITTEN) {
            bytes.computeIfAbsent(fated, one -> counter("entrepot.pool.bytes.written", "bytes of files written", one))
                    .increment((double) size);
        }
    }

    private Counter counter(String name, String description, Fated fated) {
        return counter(name, description, tenants, fated.tenant);
    }

    @Override
    public void imports(Import what, String watcher, long some, long size) {
        String tag = watchers.of(watcher);
        if (what == Import.IMPORTED) {
            counter("entrepot.pool.import.files", "files imported", watchers, tag).increment((double) some);
            counter("entrepot.pool.import.bytes", "bytes of files imported", watchers, tag).increment((double) size);
        } else {
            counter("entrepot.pool.import.failures", "attempts that failed", watchers, tag).increment((double) some);
        }
    }

    @Override
    public void quotaWarned(TenantId tenant) {
        counter("entrepot.pool.quota.warnings", "files that were one too many to say nothing", tenants,
                tenants.of(tenant.name())).increment();
    }

    private Counter counter(String name, String description, NameTags names, String tag) {
        return Counter.builder(name).tag(names.key(), tag).description(description).register(registry);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
