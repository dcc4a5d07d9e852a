package io.entrepot.cli.access;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadStatus;
import io.entrepot.pool.Uploads;
import java.util.List;

/** Uploads of a pool in this process. */
record EmbeddedUploads(Uploads uploads) implements UploadAccess {

    @Override
    public List<UploadStatus> list(TenantId tenant) {
        return uploads.list(tenant);
    }

    @Override
    public boolean cancel(TenantId tenant, UploadId upload) throws InterruptedException {
        return uploads.cancel(tenant, upload);
    }
}
