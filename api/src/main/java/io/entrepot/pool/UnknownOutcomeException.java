package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** It may or may not have happened: the commit itself failed. */
public final class UnknownOutcomeException extends PoolException {

    public UnknownOutcomeException(String message) {
        this(message, null);
    }

    public UnknownOutcomeException(String message, @Nullable Throwable cause) {
        super("pool.outcome-unknown", Advice.UNKNOWN, message, cause);
    }

    UnknownOutcomeException(Told told) {
        super(told);
    }
}
