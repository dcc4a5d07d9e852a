package io.entrepot.pool;

import io.entrepot.store.Advice;

/** There is no such tenant. */
public final class TenantNotFoundException extends PoolException {

    public TenantNotFoundException(TenantId tenant) {
        super("pool.tenant-not-found", Advice.GIVE_UP, "there is no tenant " + tenant + "; create it first", null);
    }

    TenantNotFoundException(Told told) {
        super(told);
    }
}
