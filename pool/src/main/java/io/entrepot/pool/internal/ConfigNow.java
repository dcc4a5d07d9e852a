package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;

/**
 * The configuration as it counts now. Whoever reads a setting that can be changed while the pool is open asks for it each time.
 * Safe for use by many threads: it is replaced as a whole.
 */
public final class ConfigNow {
    private volatile PoolConfig now;

    public ConfigNow(PoolConfig first) {
        now = first;
    }

    public PoolConfig get() {
        return now;
    }

    void set(PoolConfig next) {
        now = next;
    }
}
