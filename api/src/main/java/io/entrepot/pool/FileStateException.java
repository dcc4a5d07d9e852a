package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The file is not in a state in which that can be done. */
public final class FileStateException extends PoolException {

    public FileStateException(TenantId tenant, FileKey key, String why) {
        super("pool.wrong-state", Advice.GIVE_UP, "file " + key + " of tenant " + tenant + ": " + why, null);
    }

    FileStateException(Told told) {
        super(told);
    }
}
