package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** No volume has room for the file. */
public final class InsufficientStorageException extends PoolException {

    public InsufficientStorageException(String message) {
        this(message, null);
    }

    public InsufficientStorageException(String message, @Nullable Throwable cause) {
        super("pool.insufficient-storage", Advice.RETRY, message, cause);
    }

    InsufficientStorageException(Told told) {
        super(told);
    }
}
