package io.entrepot.cli.access;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadStatus;
import java.util.List;

/** Files that come in pieces, as commands use them. */
public interface UploadAccess {

    /** Those that are not finished, oldest first. */
    List<UploadStatus> list(TenantId tenant);

    /** Says whether there was one that is not finished. */
    boolean cancel(TenantId tenant, UploadId upload) throws InterruptedException;
}
