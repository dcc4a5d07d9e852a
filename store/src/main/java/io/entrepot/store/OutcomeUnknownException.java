package io.entrepot.store;

import org.jspecify.annotations.Nullable;

/** The commit itself failed: the unit of work may or may not be there once the store has been opened again. */
public final class OutcomeUnknownException extends StoreException {

    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super("store.outcome-unknown", Advice.UNKNOWN, message, cause);
    }
}
