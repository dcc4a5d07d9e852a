package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant has as many files or bytes as it may have: later there may be room, unless the file alone is too much. */
public final class TenantQuotaExceededException extends PoolException {

    public TenantQuotaExceededException(TenantId tenant, String what) {
        super("pool.tenant-quota-exceeded", Advice.RETRY, "tenant " + tenant + " has reached its quota: " + what, null);
    }

    private TenantQuotaExceededException(String message) {
        super("pool.tenant-quota-exceeded", Advice.GIVE_UP, message, null);
    }

    /** It would not fit if the tenant had nothing else. */
    public static TenantQuotaExceededException ofAFile(TenantId tenant, long bytes, long limit) {
        return new TenantQuotaExceededException(
                "tenant " + tenant + " may have " + limit + " bytes in all, and this file has "
                        + bytes + ": make it smaller, or raise the limit");
    }

    TenantQuotaExceededException(Told told) {
        super(told);
    }
}
