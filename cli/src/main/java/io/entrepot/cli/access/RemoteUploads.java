package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Uploads of a pool behind a server. */
record RemoteUploads(Administration administration) implements UploadAccess {
    private static final String GONE = "tus.upload-gone";

    @Override
    public List<UploadStatus> list(TenantId tenant) {
        return administration.uploads(tenant).stream().map(json -> upload(tenant, json)).toList();
    }

    @Override
    public boolean cancel(TenantId tenant, UploadId upload) {
        try {
            administration.cancelUpload(tenant, upload);
            return true;
        } catch (UploadNotFoundException e) {
            return false;
        } catch (RequestRefusedException e) {
            if (e.code().equals(GONE)) {
                return false;
            }
            throw e;
        }
    }

    private static UploadStatus upload(TenantId tenant, Json json) {
        NewFile file = json.get("name").find().map(NewFile::named).orElseGet(NewFile::unnamed)
                .in(json.get("directory").text());
        return new UploadStatus(tenant, new UploadId(json.get("id").text()), file, json.get("offset").whole(),
                json.get("size").number(), Instant.parse(json.get("begun").text()),
                Instant.parse(json.get("expires").text()), Optional.empty());
    }
}
