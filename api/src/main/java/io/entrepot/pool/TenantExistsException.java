package io.entrepot.pool;

import io.entrepot.store.Advice;

/** There is a tenant of that name already. */
public final class TenantExistsException extends PoolException {

    public TenantExistsException(TenantId tenant) {
        super("pool.tenant-exists", Advice.GIVE_UP, "there is a tenant " + tenant + " already", null);
    }

    TenantExistsException(Told told) {
        super(told);
    }
}
