package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.Location;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where files go that are completed and whose time is over: a directory that is written like a volume, as
 * {@code tenant/key.extension}, so that what is there is whole, durable and carries its description. Immutable.
 */
final class Export {
    /** The same for every pool and every time. */
    private static final String IDENTITY = "export";

    private final Parts parts;
    private final Backends backends;
    private final Path directory;

    Export(Parts parts, Backends backends, Path directory) {
        this.parts = parts;
        this.backends = backends;
        this.directory = directory;
    }

    Path directory() {
        return directory;
    }

    /** Those whose copies are durable now. A copy that was made before and not recorded is replaced. */
    List<FileKey> export(TenantRow tenant, List<FileRow> files, Tally tally)
            throws VolumeException, InterruptedException {
        List<FileKey> exported = new ArrayList<>();
        BlobCopy copying = new BlobCopy(parts.config().redoLimit(), tally::checkpoint);
        try (Backend to = backends.open(Location.of(directory), IDENTITY, true)) {
            for (FileRow file : files) {
                tally.attempt("file " + file.key() + " of tenant " + tenant.id(), () -> {
                    if (copy(tenant, file, to, copying)) {
                        exported.add(file.key());
                    } else {
                        tally.problem("file " + file.key() + " of tenant " + tenant.id()
                                + ": its bytes are not those that were written");
                    }
                });
            }
            to.sync();
        }
        return exported;
    }

    private boolean copy(TenantRow tenant, FileRow file, Backend to, BlobCopy copying)
            throws VolumeException, InterruptedException, BlobCopy.SourceException {
        BlobPath path = new BlobPath(tenant.id(), file.key(), file.extension(), 0);
        byte[] description = parts.tenants().store(tenant.id()).read(snapshot -> new Description(file.size(),
                file.sha(), file.created(), file.modified(), file.priority(), file.name(),
                parts.directories().path(snapshot, tenant, file.directory()), file.labels(), file.source())
                .encode(file.extension()));
        try (Blob blob = parts.volumes().require(file.volume()).backend().open(file.path(tenant.id()))) {
            to.delete(path);
            return copying.copy(file, blob, to, path, description);
        }
    }
}
