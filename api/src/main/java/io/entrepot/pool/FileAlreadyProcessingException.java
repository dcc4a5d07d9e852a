package io.entrepot.pool;

import io.entrepot.store.Advice;

/** Somebody else has the file. */
public final class FileAlreadyProcessingException extends PoolException {

    public FileAlreadyProcessingException(TenantId tenant, FileKey key, String who) {
        super("pool.file-already-processing", Advice.RETRY,
                "file " + key + " of tenant " + tenant + " is being processed already" + who, null);
    }

    FileAlreadyProcessingException(Told told) {
        super(told);
    }
}
