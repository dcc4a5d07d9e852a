package io.entrepot.store;

import org.jspecify.annotations.Nullable;

/** The database file is not what it should be. Nothing was done and nothing was thrown away. */
public final class StoreDamagedException extends StoreException {

    public StoreDamagedException(String message, @Nullable Throwable cause) {
        super("store.damaged", Advice.GIVE_UP, message, cause);
    }
}
