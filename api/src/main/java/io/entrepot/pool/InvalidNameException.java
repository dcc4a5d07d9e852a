package io.entrepot.pool;

import io.entrepot.store.Advice;

/** A name that cannot be taken. */
public final class InvalidNameException extends PoolException {

    public InvalidNameException(String message) {
        super("pool.invalid-name", Advice.GIVE_UP, message, null);
    }

    InvalidNameException(Told told) {
        super(told);
    }
}
