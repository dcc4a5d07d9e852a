package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The tenant has no such upload: it was never begun, was cancelled, has expired, or is somebody else's. */
public final class UploadNotFoundException extends PoolException {

    public UploadNotFoundException(TenantId tenant, UploadId upload) {
        this(tenant, upload, "it was cancelled, has expired, or never was");
    }

    public UploadNotFoundException(TenantId tenant, UploadId upload, String why) {
        super("pool.upload-not-found", Advice.GIVE_UP, "tenant " + tenant + " has no upload " + upload + ": " + why
                + "; begin a new one", null);
    }

    UploadNotFoundException(Told told) {
        super(told);
    }
}
