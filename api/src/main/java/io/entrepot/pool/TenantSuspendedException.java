package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant is suspended: no new files and no claims; what was claimed can be ended. */
public final class TenantSuspendedException extends PoolException {

    public TenantSuspendedException(TenantId tenant) {
        super("pool.tenant-suspended", Advice.GIVE_UP,
                "tenant " + tenant + " is suspended: it takes no files and hands none out until it is enabled", null);
    }

    TenantSuspendedException(Told told) {
        super(told);
    }
}
