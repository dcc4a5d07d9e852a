package io.entrepot.client;

import io.entrepot.pool.Outage;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import java.io.IOException;

/** A file could not be read to its end. If the server or its volume is away, that is no fault of the file's. */
final class BrokenDownloadException extends IOException implements Outage {

    BrokenDownloadException(String message, PoolException cause) {
        super(message, cause);
    }

    @Override
    public boolean isOutage() {
        return getCause() instanceof StorageVolumeUnavailableException
                || getCause() instanceof PoolUnavailableException;
    }
}
