package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant has no such file, or no longer. */
public final class FileNotFoundException extends PoolException {

    public FileNotFoundException(TenantId tenant, String key) {
        super("pool.file-not-found", Advice.GIVE_UP, "tenant " + tenant + " has no file " + key + " (any more)", null);
    }

    FileNotFoundException(Told told) {
        super(told);
    }
}
