package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant is disabled: everything is refused until it is enabled. */
public final class TenantDisabledException extends PoolException {

    public TenantDisabledException(TenantId tenant) {
        super("pool.tenant-disabled", Advice.GIVE_UP, "tenant " + tenant + " is disabled; enable it to go on", null);
    }

    TenantDisabledException(Told told) {
        super(told);
    }
}
