package io.entrepot.pool;

import io.entrepot.store.Advice;

/** A piece does not begin where the last one has ended, or somebody else is just adding one. */
public final class UploadOffsetException extends PoolException {
    private final long offset;

    /** @param offset where the next piece begins */
    public UploadOffsetException(TenantId tenant, UploadId upload, long offset, String what) {
        super("pool.upload-offset", Advice.RETRY, "upload " + upload + " of tenant " + tenant + ": " + what
                + "; go on at " + offset, null);
        this.offset = offset;
    }

    UploadOffsetException(Told told) {
        super(told);
        this.offset = told.offset();
    }

    /** So much is durable: the next piece begins there. */
    public long offset() {
        return offset;
    }
}
