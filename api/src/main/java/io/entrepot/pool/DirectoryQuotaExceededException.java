package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The logical directory has as many files as it may have. */
public final class DirectoryQuotaExceededException extends PoolException {

    public DirectoryQuotaExceededException(TenantId tenant, LogicalDirectory directory, long limit) {
        super("pool.directory-quota-exceeded", Advice.RETRY,
                "directory " + directory + " of tenant " + tenant + " has reached its limit of " + limit + " files",
                null);
    }

    DirectoryQuotaExceededException(Told told) {
        super(told);
    }
}
