package io.entrepot.pool;

import io.entrepot.store.Advice;
import io.entrepot.store.StoreException;

/** The database under the pool cannot do what was asked; nothing was changed. The code says more. */
public final class PoolUnavailableException extends PoolException {

    public PoolUnavailableException(StoreException cause) {
        super("pool.unavailable." + cause.code().substring(cause.code().indexOf('.') + 1), cause.advice(),
                String.valueOf(cause.getMessage()), cause);
    }

    public PoolUnavailableException(String message) {
        super("pool.unavailable", Advice.RETRY, message, null);
    }
}
