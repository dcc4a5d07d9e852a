package io.entrepot.pool;

import io.entrepot.pool.watch.WatcherSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Tenants, rules for their directories, and watchers that bring them files: to be made when a pool is opened and does not have
 * them.
 */
public record TenantSeeds(List<TenantSpec> specs, List<QuotaRule> quotas, List<WatcherSpec> watchers) {
    public static final TenantSeeds NONE = new TenantSeeds(List.of(), List.of(), List.of());

    public TenantSeeds {
        specs = List.copyOf(specs);
        quotas = List.copyOf(quotas);
        watchers = List.copyOf(watchers);
    }

    TenantSeeds withSpecs(List<TenantSpec> value) {
        return new TenantSeeds(value, quotas, watchers);
    }

    TenantSeeds and(TenantSpec spec) {
        return withSpecs(with(specs, spec));
    }

    TenantSeeds and(QuotaRule rule) {
        return new TenantSeeds(specs, with(quotas, rule), watchers);
    }

    TenantSeeds and(WatcherSpec watcher) {
        return new TenantSeeds(specs, quotas, with(watchers, watcher));
    }

    private static <T> List<T> with(List<T> some, T more) {
        List<T> all = new ArrayList<>(some);
        all.add(more);
        return all;
    }
}
