package io.entrepot.store;

import org.jspecify.annotations.Nullable;

/** A failure of the store itself. The code is stable; the message says what happened and what to do. */
public abstract sealed class StoreException extends RuntimeException
        permits NotDoneException, OutcomeUnknownException, StoreClosedException, StoreDamagedException,
        DirectoryInUseException, IncompatibleDataException {
    private final String code;
    private final Advice advice;

    StoreException(String code, Advice advice, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.advice = advice;
    }

    public String code() {
        return code;
    }

    public Advice advice() {
        return advice;
    }
}
