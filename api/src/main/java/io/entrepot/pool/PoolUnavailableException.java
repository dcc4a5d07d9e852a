package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** The database under the pool cannot do what was asked; nothing was changed. The code says more. */
public final class PoolUnavailableException extends PoolException {

    /** @param why the rest of the code */
    public PoolUnavailableException(String why, Advice advice, String message, @Nullable Throwable cause) {
        super("pool.unavailable." + why, advice, message, cause);
    }

    public PoolUnavailableException(String message) {
        super("pool.unavailable", Advice.RETRY, message, null);
    }

    PoolUnavailableException(Told told) {
        super(told);
    }
}
