package io.entrepot.pool.metrics;

import io.entrepot.pool.Backlog;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.watch.ImportBacklog;
import io.entrepot.store.Room;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how a pool is. It is read when somebody asks for a figure, and that reading serves for a few seconds; with it come the
 * figures of tenants and volumes that are new, and go those of which are gone. If the pool cannot be read there are no figures
 * (NaN) rather than old ones. Safe for use by many threads: what changes is guarded by this object.
 */
final class Gauges {
    private static final Logger LOG = LoggerFactory.getLogger(Gauges.class);

    private final Pool pool;
    private final MeterRegistry registry;
    private final Clock clock;
    private final NameTags tenants;
    private final NameTags watchers;
    private final long servesNanos;
    private final Map<String, List<Meter>> meters = new HashMap<>();
    private Optional<Reading> reading = Optional.empty();
    private long readAt;

    Gauges(Pool pool, MeterRegistry registry, NameTags tenants, NameTags watchers, Duration serves) {
        this.pool = pool;
        this.registry = registry;
        this.clock = registry.config().clock();
        this.tenants = tenants;
        this.watchers = watchers;
        this.servesNanos = serves.toNanos();
        this.readAt = clock.monotonicTime() - servesNanos;
        of("backlog", List.of(
                gauge("redo", "small files whose bytes wait for a sync", Tags.empty(),
                        now -> Optional.of(now.backlog()), Backlog::redo),
                gauge("doomed", "files that are gone and whose bytes are there", Tags.empty(),
                        now -> Optional.of(now.backlog()), Backlog::doomed),
                gauge("stuck", "files that are gone and whose bytes cannot be removed", Tags.empty(),
                        now -> Optional.of(now.backlog()), Backlog::stuck)));
        of("database", List.of(
                gauge("database.free", "free bytes on the disk of the database", Tags.empty(), Reading::room,
                        Room::free),
                gauge("database.available", "bytes until nothing is added any more", Tags.empty(), Reading::room,
                        Room::available)));
        current();
    }

    private synchronized Optional<Reading> current() {
        if (clock.monotonicTime() - readAt >= servesNanos) {
            readAt = clock.monotonicTime();
            try {
                Reading now = Reading.of(pool, tenants, watchers);
                show(now);
                reading = Optional.of(now);
            } catch (PoolException e) {
                LOG.debug("no figures of the pool now: {}", e.getMessage());
                reading = Optional.empty();
            }
        }
        return reading;
    }

    private void show(Reading now) {
        Set<String> there = new HashSet<>(Set.of("backlog", "database"));
        now.tenants().keySet().forEach(tag -> there.add(shown("tenant " + tag, () -> tenant(tag))));
        now.quotas().keySet().forEach(limited -> there.add(shown("quota " + limited, () -> quota(limited))));
        now.imports().keySet().forEach(tag -> there.add(shown("watcher " + tag, () -> watcher(tag))));
        now.volumes().keySet().forEach(name -> there.add(shown("volume " + name, () -> volume(name))));
        now.jobs().keySet().forEach(name -> there.add(shown("job " + name, () -> job(name))));
        for (String gone : meters.keySet().stream().filter(key -> !there.contains(key)).toList()) {
            meters.getOrDefault(gone, List.of()).forEach(registry::remove);
            meters.remove(gone);
        }
    }

    private interface Making {
        List<Meter> make();
    }

    private String shown(String key, Making making) {
        if (!meters.containsKey(key)) {
            of(key, making.make());
        }
        return key;
    }

    private void of(String key, List<Meter> some) {
        meters.put(key, some);
    }

    private List<Meter> tenant(String tag) {
        Map<String, ToDoubleFunction<TenantUsage>> states = Map.of("pending", TenantUsage::pending, "processing",
                TenantUsage::processing, "delayed", TenantUsage::delayed, "completed", TenantUsage::completed, "failed",
                TenantUsage::failed, "held", TenantUsage::held);
        Tags tenant = Tags.of(tenants.key(), tag);
        Function<Reading, Optional<Reading.Share>> share = now -> Optional.ofNullable(now.tenants().get(tag));
        List<Meter> all = new ArrayList<>();
        states.forEach((state, count) -> all.add(gauge("files", "files there are, by state", tenant.and("state", state),
                share, one -> count.applyAsDouble(one.usage()))));
        all.add(gauge("bytes", "bytes of the files there are", tenant, share, one -> one.usage().bytes()));
        all.add(gauge("oldest", "seconds that the next file waits", tenant, share, one -> one.oldest()
                .map(since -> Math.max(0, clock.wallTime() - since.toEpochMilli()) / 1000.0).orElse(0.0)));
        return all;
    }

    private List<Meter> quota(Reading.Limited limited) {
        Tags tags = Tags.of(tenants.key(), limited.tenant(), "of", limited.of());
        Function<Reading, Optional<Reading.Use>> use = now -> Optional.ofNullable(now.quotas().get(limited));
        return List.of(gauge("quota.used", "what tenants with a limit have", tags, use, Reading.Use::used),
                gauge("quota.limit", "what they may have", tags, use, Reading.Use::limit),
                gauge("quota.share", "the largest share of its limit that one has used", tags, use,
                        Reading.Use::share));
    }

    private List<Meter> watcher(String tag) {
        Tags tags = Tags.of(watchers.key(), tag);
        Function<Reading, Optional<ImportBacklog>> backlog = now -> Optional.ofNullable(now.imports().get(tag));
        return List.of(gauge("import.retrying", "files whose import is tried again", tags, backlog,
                ImportBacklog::retrying),
                gauge("import.parked", "files whose import has failed too often", tags, backlog,
                        ImportBacklog::parked));
    }

    private List<Meter> volume(String name) {
        Tags tags = Tags.of("volume", name);
        Function<Reading, Optional<VolumeInfo>> volume = now -> Optional.ofNullable(now.volumes().get(name));
        return List.of(gauge("volume.total", "bytes of the storage", tags, volume, VolumeInfo::total),
                gauge("volume.free", "bytes that are free", tags, volume, VolumeInfo::free),
                gauge("volume.available", "bytes that new files may take", tags, volume, VolumeInfo::available),
                gauge("volume.in.flight", "bytes that are being written", tags, volume, VolumeInfo::inFlight),
                gauge("volume.files", "files on it", tags, volume, VolumeInfo::files),
                gauge("volume.healthy", "1 if it works, 0.5 if it cannot be written, 0 if it has failed", tags, volume,
                        info -> info.health() == VolumeHealth.HEALTHY
                                ? 1
                                : info.health() == VolumeHealth.UNWRITABLE ? 0.5 : 0));
    }

    private List<Meter> job(String name) {
        Function<Reading, Optional<JobStatus>> job = now -> Optional.ofNullable(now.jobs().get(name));
        return List.of(counter("job.runs", "runs that have begun", name, job, JobStatus::runs),
                counter("job.failures", "runs that have failed", name, job, JobStatus::failures));
    }

    private <T> Meter gauge(String name, String description, Tags tags, Function<Reading, Optional<T>> part,
            ToDoubleFunction<T> value) {
        return Gauge.builder("entrepot.pool." + name, this, gauges -> gauges.value(part, value)).tags(tags)
                .description(description).strongReference(true).register(registry);
    }

    private <T> Meter counter(String name, String description, String job, Function<Reading, Optional<T>> part,
            ToDoubleFunction<T> value) {
        return FunctionCounter.builder("entrepot.pool." + name, this, gauges -> gauges.value(part, value))
                .tags("job", job).description(description).register(registry);
    }

    private <T> double value(Function<Reading, Optional<T>> part, ToDoubleFunction<T> value) {
        return current().flatMap(part).map(one -> value.applyAsDouble(one)).orElse(Double.NaN);
    }

    synchronized void remove() {
        meters.values().forEach(some -> some.forEach(registry::remove));
        meters.clear();
    }
}
