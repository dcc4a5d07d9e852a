package io.entrepot.pool.metrics;

import io.entrepot.pool.TenantId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a tenant is called in the figures: by its name as long as there are few, so that there are never too many series. Safe
 * for use by many threads.
 */
final class TenantTags {
    static final String KEY = "tenant";
    static final String ALL = "all";
    static final String OTHERS = "others";

    private final int most;
    private final Set<TenantId> named = ConcurrentHashMap.newKeySet();

    TenantTags(int most) {
        this.most = most;
    }

    /** Once it has a name it keeps it: counts do not move from one series to another. */
    String of(TenantId tenant) {
        if (most == 0) {
            return ALL;
        }
        if (named.contains(tenant)) {
            return tenant.name();
        }
        synchronized (this) {
            if (named.size() < most) {
                named.add(tenant);
                return tenant.name();
            }
        }
        return OTHERS;
    }
}
