package io.entrepot.pool.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a tenant, or a watcher, is called in the figures: by its name as long as there are few, so that there are never too many
 * series. Safe for use by many threads.
 */
final class NameTags {
    static final String ALL = "all";
    static final String OTHERS = "others";

    private final String key;
    private final int most;
    private final Set<String> named = ConcurrentHashMap.newKeySet();

    private NameTags(String key, int most) {
        this.key = key;
        this.most = most;
    }

    static NameTags ofTenants(int most) {
        return new NameTags("tenant", most);
    }

    static NameTags ofWatchers(int most) {
        return new NameTags("watcher", most);
    }

    String key() {
        return key;
    }

    /** Once it has a name it keeps it: counts do not move from one series to another. */
    String of(String name) {
        if (most == 0) {
            return ALL;
        }
        if (named.contains(name)) {
            return name;
        }
        synchronized (this) {
            if (named.size() < most) {
                named.add(name);
                return name;
            }
        }
        return OTHERS;
    }
}
