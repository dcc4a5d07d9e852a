package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** No volume can take or give the file now. */
public final class StorageVolumeUnavailableException extends PoolException {

    public StorageVolumeUnavailableException(String message) {
        this(message, null);
    }

    public StorageVolumeUnavailableException(String message, @Nullable Throwable cause) {
        super("pool.volume-unavailable", Advice.RETRY, message, cause);
    }

    StorageVolumeUnavailableException(Told told) {
        super(told);
    }
}
