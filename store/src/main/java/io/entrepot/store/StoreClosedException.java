package io.entrepot.store;

import org.jspecify.annotations.Nullable;

/** The store was closed, or closed itself after a failed commit. Nothing was done. */
public final class StoreClosedException extends StoreException {

    public StoreClosedException(String message, @Nullable Throwable cause) {
        super("store.closed", Advice.GIVE_UP, message, cause);
    }
}
