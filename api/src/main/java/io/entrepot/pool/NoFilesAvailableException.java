package io.entrepot.pool;

import io.entrepot.store.Advice;
import java.time.Duration;

/** Nothing came to be processed in time. */
public final class NoFilesAvailableException extends PoolException {

    public NoFilesAvailableException(TenantId tenant, Duration waited) {
        super("pool.no-files-available", Advice.RETRY,
                "no file of tenant " + tenant + " became available within " + waited, null);
    }

    NoFilesAvailableException(Told told) {
        super(told);
    }
}
