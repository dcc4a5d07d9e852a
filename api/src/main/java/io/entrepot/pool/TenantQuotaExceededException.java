package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant has as many files or bytes as it may have. */
public final class TenantQuotaExceededException extends PoolException {

    public TenantQuotaExceededException(TenantId tenant, String what) {
        super("pool.tenant-quota-exceeded", Advice.RETRY, "tenant " + tenant + " has reached its quota: " + what, null);
    }

    TenantQuotaExceededException(Told told) {
        super(told);
    }
}
